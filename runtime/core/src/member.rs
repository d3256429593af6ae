//! Members of the domains of a game, places, pieces and players, as types of their own.

use std::fmt;

/// A text is no name of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoMember;

impl fmt::Display for NoMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing has this name")
    }
}

impl std::error::Error for NoMember {}

/// What members of a domain can do, for a type that holds their number; compiled games call it.
///
/// ```
/// /// A light.
/// #[derive(Clone, Copy, PartialEq, Eq)]
/// pub struct Light(u8);
/// static NAMES: [&str; 3] = ["red", "amber", "green"];
/// rulec_core::member!(Light, u8, NAMES);
///
/// assert_eq!(Light::all().map(Light::name).collect::<Vec<_>>(), NAMES);
/// assert_eq!("amber".parse(), Ok(Light(1)));
/// assert_eq!(Light::new(3), None);
/// assert_eq!(Light(2).to_string(), "green");
/// ```
#[macro_export]
macro_rules! member {
    ($name:ident, $number:ty, $names:path) => {
        impl $name {
            /// All members, in the order of the rules.
            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
                (0..$names.len()).map(|number| Self(number as $number))
            }

            /// The member of this number, if there is one.
            pub fn new(number: $number) -> Option<Self> {
                ((number as usize) < $names.len()).then_some(Self(number))
            }

            /// Its number, as positions and moves hold it.
            pub const fn number(self) -> $number {
                self.0
            }

            /// Its name in the rules.
            pub fn name(self) -> &'static str {
                $names.get(self.0 as usize).copied().unwrap_or_default()
            }
        }

        impl ::core::fmt::Display for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }

        impl ::core::str::FromStr for $name {
            type Err = $crate::NoMember;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::all()
                    .find(|member| member.name() == text)
                    .ok_or($crate::NoMember)
            }
        }
    };
}

/// A type for the members of a domain, with a constant for each of those that are listed; compiled games call it.
///
/// ```
/// static NAMES: [&str; 3] = ["red", "amber", "green"];
/// rulec_core::members!(Light(u8), NAMES; RED, AMBER, GREEN);
///
/// assert_eq!(Light::AMBER.to_string(), "amber");
/// ```
#[macro_export]
macro_rules! members {
    ($name:ident($number:ty), $names:path; $($member:ident),* $(,)?) => {
        #[doc = concat!("A member of `", stringify!($name), "`.")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($number);

        const _: () = {
            /// The members in the order of their numbers.
            #[allow(non_camel_case_types, clippy::upper_case_acronyms, dead_code)]
            enum Number {
                $($member),*
            }

            impl $name {
                $(
                    #[doc = concat!("The member `", stringify!($member), "`.")]
                    pub const $member: $name = $name(Number::$member as $number);
                )*
            }
        };

        $crate::member!($name, $number, $names);
    };
}

/// The numbers of the members of a domain: their type, how many they are, what stands for none, and their texts; compiled games
/// call it.
///
/// ```
/// rulec_core::domain!(Light(u8), LIGHT_COUNT = 3, NO_LIGHT, LIGHT_NAMES = ["red", "amber", "green"]);
///
/// let light: Light = 1;
/// assert_ne!(light, NO_LIGHT);
/// assert_eq!(LIGHT_NAMES[light as usize], "amber");
/// ```
#[macro_export]
macro_rules! domain {
    ($name:ident($number:ty), $count:ident = $len:literal, $none:ident, $names:ident = $texts:expr) => {
        #[doc = concat!("A member of `", stringify!($name), "`, by number.")]
        pub type $name = $number;

        #[doc = concat!("Number of members of `", stringify!($name), "`.")]
        pub const $count: $name = $len;

        #[doc = concat!("No member of `", stringify!($name), "`.")]
        pub const $none: $name = <$number>::MAX;

        #[doc = concat!("Texts of the members of `", stringify!($name), "`.")]
        pub static $names: [&str; $len] = $texts;
    };
}
