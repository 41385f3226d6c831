import {
  Bool,
  Bytes,
  embedded,
  field,
  Int32,
  Int64,
  Kind,
  kept,
  ListOf,
  type ObjectMeta,
  required,
  type ScalePaths,
  Struct,
  Text,
  Time,
  type TSchema,
} from 'orch/sdk'
import type { SchemaKeywords } from '../names.js'
import { jsonSchemaType } from './json-schema.js'

const named = (name: string) => `apiextensions.v1.${name}`

const ServiceReference = Struct(
  named('ServiceReference'),
  {
    namespace: required(1, Text(), 'Namespace of the Service.'),
    name: required(2, Text(), 'Name of the Service.'),
    path: kept(3, Text(), 'Path of the URL at the Service.'),
    port: kept(4, Int32(), { description: 'Port of the Service. 443 by default.', default: 443 }),
  },
  { description: 'A reference to a Service.' },
)
const WebhookClientConfig = Struct(
  named('WebhookClientConfig'),
  {
    url: kept(3, Text(), 'https:// URL of the webhook. Mutually exclusive with service.'),
    service: kept(1, ServiceReference, 'The Service of the webhook. Mutually exclusive with url.'),
    caBundle: field(
      2,
      Bytes(),
      "PEM certificates of the authorities that the webhook's certificate is verified against.",
    ),
  },
  { description: 'How to connect to a webhook.' },
)
const WebhookConversion = Struct(
  named('WebhookConversion'),
  {
    clientConfig: kept(2, WebhookClientConfig, 'How to connect to the webhook.'),
    conversionReviewVersions: required(
      3,
      ListOf(Text()),
      'Versions of ConversionReview that the webhook understands, the preferred one first.',
    ),
  },
  { description: 'A webhook that converts objects between versions.' },
)
const Conversion = Struct(
  named('CustomResourceConversion'),
  {
    strategy: required(1, Text(), 'None changes only apiVersion; Webhook calls the webhook.'),
    webhook: kept(2, WebhookConversion, 'The webhook to call. Required with strategy Webhook.'),
  },
  { description: 'How objects are converted between versions.' },
)
const Names = Struct(
  named('CustomResourceDefinitionNames'),
  {
    plural: required(1, Text(), 'Plural name, as in URLs. With the group it is the name of the definition.'),
    singular: field(2, Text(), 'Singular name, in lower case. By default the kind in lower case.'),
    shortNames: field(3, ListOf(Text()), 'Short names for the command line.'),
    kind: required(4, Text(), 'Kind of an object.'),
    listKind: field(5, Text(), 'Kind of a list. By default the kind followed by List.'),
    categories: field(6, ListOf(Text()), 'Categories that the resource belongs to, such as all.'),
  },
  { description: 'The names of a resource.' },
)
const Column = Struct(
  named('CustomResourceColumnDefinition'),
  {
    name: required(1, Text(), 'Title of the column.'),
    type: required(2, Text(), 'boolean, date, integer, number or string.'),
    format: field(3, Text(), 'Format of the value, such as int32 or date-time.'),
    description: field(4, Text(), 'What the column shows.'),
    priority: field(5, Int32(), 'Columns above 0 are shown in wide output only.'),
    jsonPath: required(6, Text(), 'JSON path of the value, such as .spec.size.'),
  },
  { description: 'A column of the printed table.' },
)
const ScaleSubresource = Struct(
  named('CustomResourceSubresourceScale'),
  {
    specReplicasPath: required(1, Text(), 'JSON path of the desired number of replicas, below .spec.'),
    statusReplicasPath: required(2, Text(), 'JSON path of the observed number of replicas, below .status.'),
    labelSelectorPath: kept(
      3,
      Text(),
      'JSON path of the serialized label selector of the Pods, below .spec or .status.',
    ),
  },
  { description: 'How the scale of an object is read and written.' },
)
const Subresources = Struct(
  named('CustomResourceSubresources'),
  {
    status: kept(
      1,
      Struct(named('CustomResourceSubresourceStatus'), {}, { description: 'Enables the status subresource.' }),
      'Enables the status subresource, through which alone status can be written.',
    ),
    scale: kept(2, ScaleSubresource, 'Enables the scale subresource.'),
  },
  { description: 'Subresources of an object.' },
)

const SelectableField = Struct(
  named('SelectableField'),
  { jsonPath: required(1, Text(), 'JSON path of a field of type string, integer or boolean, such as .spec.color.') },
  { description: 'A field that field selectors may name.' },
)

function schemasOf(keywords: SchemaKeywords) {
  const Validation = Struct(
    named('CustomResourceValidation'),
    { openAPIV3Schema: kept(1, jsonSchemaType(keywords), 'The schema of the objects.') },
    { description: 'Which objects are valid.' },
  )
  const Version = Struct(
    named('CustomResourceDefinitionVersion'),
    {
      name: required(1, Text(), 'Name of the version, such as v1.'),
      served: required(2, Bool(), 'Whether clients can use the version.'),
      storage: required(3, Bool(), 'Whether objects are stored in the version. True for exactly one version.'),
      deprecated: field(7, Bool(), 'Whether the version is deprecated. Clients that use it receive a warning.'),
      deprecationWarning: kept(8, Text(), 'The text of that warning.'),
      schema: kept(4, Validation, 'Which objects are valid. Required.'),
      subresources: kept(5, Subresources, 'Subresources of an object.'),
      additionalPrinterColumns: field(
        6,
        ListOf(Column),
        'Columns of the printed table after the name. Age by default.',
      ),
      selectableFields: field(9, ListOf(SelectableField), {
        description: 'Fields that field selectors of this version may name.',
        since: '1.30',
        gate: 'CustomResourceFieldSelectors',
      }),
    },
    { description: 'A version of a resource.' },
  )
  const Spec = Struct(
    named('CustomResourceDefinitionSpec'),
    {
      group: required(1, Text(), 'API group of the resource.'),
      names: required(3, Names, 'Names of the resource.'),
      scope: required(4, Text(), 'Namespaced or Cluster.'),
      versions: required(7, ListOf(Version), 'Versions of the resource.'),
      conversion: kept(9, Conversion, 'How objects are converted between versions.'),
      preserveUnknownFields: field(10, Bool(), 'Must not be true.'),
    },
    { description: 'Desired state of a definition.' },
  )
  const StatusCondition = Struct(
    named('CustomResourceDefinitionCondition'),
    {
      type: required(1, Text(), 'Established, NamesAccepted, NonStructuralSchema, Terminating and others.'),
      status: required(2, Text(), 'True, False or Unknown.'),
      lastTransitionTime: embedded(3, Time(), 'When the status last changed.'),
      reason: field(4, Text(), 'Machine-readable reason in one word.'),
      message: field(5, Text(), 'Human-readable message.'),
      observedGeneration: field(6, Int64(), {
        description: 'The generation of the definition that the condition was set for.',
        since: '1.35',
        gate: 'CRDObservedGenerationTracking',
      }),
    },
    { description: 'An observed condition of a definition.' },
  )
  const Status = Struct(
    named('CustomResourceDefinitionStatus'),
    {
      conditions: embedded(
        1,
        ListOf(StatusCondition, { listType: 'map', listMapKeys: ['type'] }),
        'Observed conditions.',
      ),
      acceptedNames: embedded(2, Names, 'The names under which the resource is served.'),
      storedVersions: embedded(
        3,
        ListOf(Text()),
        'Versions in which objects may be stored. They cannot be removed from the definition.',
      ),
      observedGeneration: field(4, Int64(), {
        description: 'The generation of the definition that was last observed.',
        since: '1.35',
        gate: 'CRDObservedGenerationTracking',
      }),
    },
    { description: 'Observed state of a definition.' },
  )
  return Kind(
    named('CustomResourceDefinition'),
    {
      spec: required(2, Spec, 'Desired state.'),
      status: embedded(3, Status, 'Observed state.'),
    },
    { description: 'Defines a resource of the API.' },
  )
}

export const definitionSchema = (keywords: SchemaKeywords): TSchema => schemasOf(keywords)

export interface DefinitionNames {
  plural: string
  singular?: string
  shortNames?: string[]
  kind: string
  listKind?: string
  categories?: string[]
}
export interface ColumnDefinition {
  name: string
  type: string
  format?: string
  description?: string
  priority?: number
  jsonPath: string
}
export interface ClientConfig {
  url?: string
  service?: { namespace: string; name: string; path?: string; port?: number }
  caBundle?: string
}
/** A schema as clients send it, with the vendor's keywords. */
export type JsonSchema = Record<string, unknown>
export interface DefinitionVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated?: boolean
  deprecationWarning?: string
  schema?: { openAPIV3Schema?: JsonSchema }
  subresources?: { status?: object; scale?: ScalePaths }
  additionalPrinterColumns?: ColumnDefinition[]
  selectableFields?: { jsonPath: string }[]
}
export interface DefinitionCondition {
  type: string
  status: string
  lastTransitionTime?: string | null
  reason?: string
  message?: string
  observedGeneration?: number
}
export interface DefinitionStatus {
  conditions: DefinitionCondition[] | null
  acceptedNames: DefinitionNames
  storedVersions: string[] | null
  observedGeneration?: number
}
export interface CustomResourceDefinition {
  apiVersion?: string
  kind?: string
  metadata: ObjectMeta
  spec: {
    group: string
    names: DefinitionNames
    scope: string
    versions: DefinitionVersion[] | null
    conversion?: {
      strategy: string
      webhook?: { clientConfig?: ClientConfig; conversionReviewVersions: string[] | null }
    }
    preserveUnknownFields?: boolean
  }
  status: DefinitionStatus
  [field: string]: unknown
}
