//! What is known of a game but worked out only when somebody asks for it.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

#[cfg(feature = "stored")]
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How a value is found.
type Finding<T> = Box<dyn FnOnce() -> T + Send>;

/// A value that is found when it is first asked for; clones share it. Compared, printed or stored it is that value.
pub struct Later<T>(Arc<LazyLock<T, Finding<T>>>);

impl<T> Later<T> {
    /// A value that will be found so.
    pub fn by(find: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(find))))
    }
}

impl<T> Clone for Later<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for Later<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + 'static> From<T> for Later<T> {
    fn from(value: T) -> Self {
        Self::by(|| value)
    }
}

impl<T: Default + 'static> Default for Later<T> {
    fn default() -> Self {
        Self::by(T::default)
    }
}

impl<T: fmt::Debug> fmt::Debug for Later<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        T::fmt(self, f)
    }
}

impl<T: PartialEq> PartialEq for Later<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

#[cfg(feature = "stored")]
impl<T: Serialize> Serialize for Later<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::serialize(self, serializer)
    }
}

#[cfg(feature = "stored")]
impl<'de, T: Deserialize<'de> + Send + 'static> Deserialize<'de> for Later<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_value_is_found_once_and_only_if_somebody_asks() {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&asked);
        let seven = Later::by(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            7
        });
        let clone = seven.clone();
        assert_eq!(seven, clone, "two of one value are equal unasked");
        assert_eq!(asked.load(Ordering::Relaxed), 0);
        assert_eq!((*clone, *seven), (7, 7));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert_eq!(format!("{seven:?}"), "7");
        assert_ne!(seven, Later::from(8));
    }
}
