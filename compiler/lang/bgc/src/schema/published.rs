//! The published JSON Schema, made of the same data.

use serde_json::{Map, Value as Data, json};

use super::{Object, ROOT, Shape};

/// The JSON Schema of files, in the form of draft 7.
pub fn json_schema() -> Data {
    let mut definitions = Map::new();
    let root = object_schema(&ROOT, &mut definitions, &mut Vec::new());
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A game of the board game constructor",
    });
    if let (Data::Object(schema), Data::Object(root)) = (&mut schema, root) {
        schema.extend(root);
        // So that a file can say which schema it follows.
        if let Some(Data::Object(keys)) = schema.get_mut("properties") {
            keys.insert("$schema".to_owned(), json!({ "type": "string" }));
        }
        schema.insert("definitions".to_owned(), Data::Object(definitions));
    }
    schema
}

fn object_schema(
    object: &'static Object,
    definitions: &mut Map<String, Data>,
    known: &mut Vec<(*const Object, String)>,
) -> Data {
    let mut keys = Map::new();
    for key in object.keys {
        let mut schema = shape_schema(&key.shape, key.name, definitions, known);
        let meaning = match key.extension {
            true => format!("{} Needs `\"extensions\": true`.", key.meaning),
            false => key.meaning.to_owned(),
        };
        if schema.get("$ref").is_some() {
            schema = json!({ "allOf": [schema] });
        }
        schema["description"] = Data::String(meaning);
        keys.insert(key.name.to_owned(), schema);
    }
    let required = object.keys.iter().filter(|key| key.required);
    let required: Vec<&str> = required.map(|key| key.name).collect();
    let mut schema = json!({ "type": "object", "properties": keys });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    // Keys that nothing reads are warnings, and coordinates have any name.
    schema
}

fn shape_schema(
    shape: &'static Shape,
    name: &str,
    definitions: &mut Map<String, Data>,
    known: &mut Vec<(*const Object, String)>,
) -> Data {
    match shape {
        Shape::Text | Shape::Name(_) | Shape::Declared(_) => json!({ "type": "string" }),
        Shape::Integer => json!({ "type": "integer" }),
        Shape::Count => json!({ "type": "integer", "minimum": 1 }),
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Script => json!({ "type": ["number", "string"] }),
        Shape::Scalar => json!({ "type": ["number", "string", "boolean", "null"] }),
        Shape::Words(words) => {
            let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            json!({ "enum": words })
        }
        Shape::List(inner) => {
            json!({ "type": "array", "items": shape_schema(inner, name, definitions, known) })
        }
        Shape::Map(_, _, inner) => {
            let inner = shape_schema(inner, name, definitions, known);
            json!({ "type": "object", "additionalProperties": inner })
        }
        Shape::Vector => {
            json!({ "type": "object", "additionalProperties": { "type": "integer" } })
        }
        Shape::Either(shapes) => {
            let all = shapes.iter();
            let all: Vec<Data> = all
                .map(|shape| shape_schema(shape, name, definitions, known))
                .collect();
            json!({ "anyOf": all })
        }
        Shape::Any => json!({}),
        Shape::Object(object) => {
            let address = std::ptr::from_ref::<Object>(object);
            let found = known.iter().find(|(other, _)| *other == address);
            let title = match found {
                Some((_, title)) => title.clone(),
                None => {
                    let same = known
                        .iter()
                        .filter(|(_, title)| title.starts_with(name))
                        .count();
                    let title = match same {
                        0 => name.to_owned(),
                        _ => format!("{name}_{}", same + 1),
                    };
                    known.push((address, title.clone()));
                    let schema = object_schema(object, definitions, known);
                    definitions.insert(title.clone(), schema);
                    title
                }
            };
            json!({ "$ref": format!("#/definitions/{title}") })
        }
    }
}
