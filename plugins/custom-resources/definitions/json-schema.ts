import {
  Bool,
  Double,
  field,
  Int64,
  KeyedList,
  kept,
  ListOf,
  MapOf,
  Raw,
  required,
  Struct,
  Text,
  type TSchema,
  Type,
} from 'orch/sdk'
import type { SchemaKeywords } from '../names.js'

const named = (name: string) => `apiextensions.v1.${name}`

const ExternalDocumentation = Struct(
  named('ExternalDocumentation'),
  {
    description: field(1, Text(), 'What the documentation is about.'),
    url: field(2, Text(), 'URL of the documentation.'),
  },
  { description: 'Documentation elsewhere.' },
)
const ValidationRule = Struct(
  named('ValidationRule'),
  {
    rule: required(1, Text(), 'Expression in CEL that must be true. `self` is the value of this schema.'),
    message: field(2, Text(), 'The error message if the rule is false. The rule itself by default.'),
    messageExpression: field(3, Text(), {
      description: 'Expression in CEL that makes the error message. `message` is used where it fails.',
      since: '1.27',
    }),
    reason: kept(4, Text(), {
      description:
        'The reason of the error: FieldValueInvalid (the default), FieldValueForbidden, FieldValueRequired or FieldValueDuplicate.',
      since: '1.28',
    }),
    fieldPath: field(5, Text(), {
      description: "JSON path, relative to the value, of the field that the error is about: `.size` or `['a.b']`.",
      since: '1.28',
    }),
    optionalOldSelf: kept(6, Bool(), {
      description: '`oldSelf` is an optional value, so that the rule also applies when there is no old value.',
      since: '1.29',
    }),
  },
  { description: 'A rule that values must satisfy.' },
)

const Json = Raw(named('JSON'), [true, 1, 'text', [1], { a: 1 }])

/** The schema of JSON Schema (draft 4 with the extensions of OpenAPI 3 and the vendor's keywords). It is recursive. */
export function jsonSchemaType(keywords: SchemaKeywords): TSchema {
  const properties: Record<string, TSchema> = {}
  const schema = Type.Object(properties, {
    typeName: named('JSONSchemaProps'),
    description: 'Which values are valid.',
  })
  const SchemaOrBool = Raw(named('JSONSchemaPropsOrBool'), [true, false, {}, { type: 'string' }], {
    bool: 1,
    object: { number: 2, of: schema },
  })
  const SchemaOrList = Raw(named('JSONSchemaPropsOrArray'), [{}, { type: 'string' }, [{ type: 'integer' }]], {
    object: { number: 1, of: schema },
    list: { number: 2, of: schema },
  })
  const SchemaOrNames = Raw(named('JSONSchemaPropsOrStringArray'), [{}, { type: 'string' }, ['a', 'b']], {
    object: { number: 1, of: schema },
    list: { number: 2, of: Text() },
  })
  Object.assign(properties, {
    id: field(1, Text(), 'Not allowed in a definition.'),
    $schema: field(2, Text(), 'The dialect of the schema.'),
    $ref: kept(3, Text(), 'Not allowed in a definition.'),
    description: field(4, Text(), 'Description of the value for users.'),
    type: field(5, Text(), 'object, array, string, integer, number or boolean.'),
    format: field(6, Text(), 'Format of a string or number, such as date-time or int32. Unknown formats are ignored.'),
    title: field(7, Text(), 'A title, for people.'),
    default: kept(8, Json, 'The value of the field if it is not set.'),
    maximum: kept(9, Double(), 'The largest number.'),
    exclusiveMaximum: field(10, Bool(), 'Whether the number must be less than the maximum.'),
    minimum: kept(11, Double(), 'The smallest number.'),
    exclusiveMinimum: field(12, Bool(), 'Whether the number must be greater than the minimum.'),
    maxLength: kept(13, Int64(), 'Maximum length of a string in characters.'),
    minLength: kept(14, Int64(), 'Minimum length of a string in characters.'),
    pattern: field(15, Text(), 'Regular expression (RE2) that a string must match.'),
    maxItems: kept(16, Int64(), 'Maximum number of items.'),
    minItems: kept(17, Int64(), 'Minimum number of items.'),
    uniqueItems: field(18, Bool(), 'Must not be true: use a list of type set.'),
    multipleOf: kept(19, Double(), 'The number must be a multiple of this one.'),
    enum: field(20, ListOf(Json), 'The allowed values.'),
    maxProperties: kept(21, Int64(), 'Maximum number of fields.'),
    minProperties: kept(22, Int64(), 'Minimum number of fields.'),
    required: field(23, ListOf(Text()), 'Fields that an object must have.'),
    items: kept(24, SchemaOrList, 'The schema of the items of a list.'),
    allOf: field(25, ListOf(schema), 'Schemas that a value must match, all of them.'),
    oneOf: field(26, ListOf(schema), 'Schemas of which a value must match exactly one.'),
    anyOf: field(27, ListOf(schema), 'Schemas of which a value must match at least one.'),
    not: kept(28, schema, 'A schema that a value must not match.'),
    properties: field(29, MapOf(schema), 'The fields of an object and their schemas.'),
    additionalProperties: kept(30, SchemaOrBool, 'The schema of all fields of an object that is a map.'),
    patternProperties: field(31, MapOf(schema), 'Not allowed in a definition.'),
    dependencies: field(32, MapOf(SchemaOrNames), 'Not allowed in a definition.'),
    additionalItems: kept(33, SchemaOrBool, 'Not allowed in a definition.'),
    definitions: field(34, MapOf(schema), 'Not allowed in a definition.'),
    externalDocs: kept(35, ExternalDocumentation, 'Documentation elsewhere.'),
    example: kept(36, Json, 'An example value.'),
    nullable: field(37, Bool(), 'Whether the value may be null.'),
    [keywords.preserveUnknownFields]: kept(38, Bool(), 'True preserves fields that the schema does not specify.'),
    [keywords.embeddedResource]: field(
      39,
      Bool(),
      'Whether the value is an object with apiVersion, kind and metadata.',
    ),
    [keywords.intOrString]: field(40, Bool(), 'Whether the value may be an integer or a string.'),
    [keywords.listMapKeys]: field(41, ListOf(Text()), 'Fields that together identify an item of a list of type map.'),
    [keywords.listType]: kept(42, Text(), 'How a list merges when it is applied: atomic, set or map.'),
    [keywords.mapType]: kept(43, Text(), 'How an object merges when it is applied: granular or atomic.'),
    [keywords.validations]: field(44, KeyedList(ValidationRule, 'rule'), 'Rules in CEL that values must satisfy.'),
  })
  return schema
}
