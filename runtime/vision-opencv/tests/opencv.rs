//! OpenCV's part beside the pure one, without a camera: pictures that were made here.

use rulec_vision::colour::Rgb;
use rulec_vision::{Frame, Plane, blobs};
use rulec_vision_opencv::{
    Camera, Family, Source, components, corners, draw, find, frame, hsv, mat,
};

/// Numbers that are the same each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize
    }
}

fn noise(width: usize, height: usize) -> Frame {
    let mut numbers = Numbers(7);
    let mut byte = || (numbers.next() % 256) as u8;
    let pixels = (0..width * height)
        .map(|_| [byte(), byte(), byte()])
        .collect();
    Frame::from_pixels(width, height, pixels).expect("as many as the size says")
}

#[test]
fn pictures_and_colours_are_the_same_on_both_sides() {
    let ours = noise(37, 23);
    assert_eq!(frame(&mat(&ours).expect("room")).expect("a picture"), ours);
    let theirs = hsv(&ours).expect("a picture");
    for (a, b) in ours.hsv().pixels().iter().zip(theirs.pixels()) {
        let turn = (a.hue - b.hue).abs();
        assert!(turn.min(360.0 - turn) < 1e-3, "{a:?} {b:?}");
        assert!((a.saturation - b.saturation).abs() < 1e-5 && (a.value - b.value).abs() < 1e-5);
    }
}

#[test]
fn components_are_those_of_opencv() {
    let mut numbers = Numbers(11);
    for _ in 0..50 {
        let (width, height) = (1 + numbers.next() % 40, 1 + numbers.next() % 30);
        let mut class = || (numbers.next() % 4) as u8;
        let classes: Vec<u8> = (0..width * height).map(|_| class()).collect();
        let ours = blobs::components(&classes, width, 1);
        assert_eq!(components(&classes, width, 1).expect("labels"), ours);
    }
}

#[test]
fn numbered_pictures_stand_for_a_camera() {
    let folder = std::env::temp_dir().join(format!("rulec-vision-opencv-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let frames: Vec<Frame> = (0..3)
        .map(|n| Frame::new(20, 10, Rgb([n * 50, 9, 200])))
        .collect();
    for (number, frame) in frames.iter().enumerate() {
        let file = folder.join(format!("frame_{number:02}.png"));
        std::fs::write(file, frame.to_png().expect("pixels")).expect("written");
    }
    let pattern = folder.join("frame_%02d.png");
    let source = Source::parse(&pattern.to_string_lossy());
    assert!(matches!(source, Source::Pictures(_)));
    let mut camera = Camera::open(&source, None).expect("pictures");
    for frame in &frames {
        assert_eq!(&camera.frame().expect("a picture"), frame);
    }
    assert!(camera.frame().is_err());
    let single = Source::parse(&folder.join("frame_01.png").to_string_lossy());
    let mut camera = Camera::open(&single, None).expect("a picture");
    assert_eq!(camera.frame().expect("a picture"), frames[1]);
    std::fs::remove_dir_all(&folder).expect("it was made here");
    assert!(Camera::open(&Source::parse("97"), None).is_err());
    assert!(Camera::open(&Source::parse("nowhere.avi"), None).is_err());
}

#[test]
fn markers_tell_where_the_table_is() {
    for family in [Family::Aruco4x4, Family::AprilTag36h11] {
        // A table of 400 x 300 with a marker in each corner, seen aslant.
        let on_table = [
            (0, (40.0, 40.0)),
            (1, (360.0, 40.0)),
            (2, (360.0, 260.0)),
            (3, (40.0, 260.0)),
        ];
        let mut table = Frame::new(400, 300, Rgb([230; 3]));
        for (id, (x, y)) in on_table {
            let marker = draw(family, id, 48).expect("the family has it");
            for row in 0..48 {
                for column in 0..48 {
                    let colour = marker.get(column, row).expect("inside");
                    table.set(x as usize - 24 + column, y as usize - 24 + row, colour);
                }
            }
        }
        let edges = [(0.0, 0.0), (400.0, 0.0), (400.0, 300.0), (0.0, 300.0)];
        let seen = [(90.0, 50.0), (560.0, 70.0), (600.0, 430.0), (50.0, 400.0)];
        let pairs: Vec<_> = edges.into_iter().zip(seen).collect();
        let plane = Plane::through(&pairs).expect("four corners");
        let back = plane.inverse().expect("not flat");
        let mut picture = Frame::new(640, 480, Rgb([90; 3]));
        for y in 0..480 {
            for x in 0..640 {
                let (u, v) = back.apply((x as f64, y as f64));
                if u >= 0.0
                    && v >= 0.0
                    && let Some(colour) = table.get(u as usize, v as usize)
                {
                    picture.set(x, y, colour);
                }
            }
        }
        let markers = find(&picture, family).expect("OpenCV runs");
        let ids: Vec<i32> = markers.iter().map(|marker| marker.id).collect();
        assert_eq!(ids, [0, 1, 2, 3], "{family:?}");
        let found = Plane::through(&corners(&markers, &on_table)).expect("four markers");
        for point in [(0.0, 0.0), (200.0, 150.0), (400.0, 300.0)] {
            let (a, b) = (found.apply(point), plane.apply(point));
            assert!(
                (a.0 - b.0).abs() < 2.0 && (a.1 - b.1).abs() < 2.0,
                "{a:?} {b:?}"
            );
        }
    }
}
