import { embedded, field, Kind, kept, required, type SentObjectOf, type Static, Struct, Text } from 'orch/sdk'

const scopes: readonly string[] = ['Cluster', 'Namespace']

export const IngressClassParametersReference = Struct(
  'networking.v1.IngressClassParametersReference',
  {
    apiGroup: kept(1, Text(), 'API group of the object. Empty means the core group.'),
    kind: required(2, Text(), 'Kind of the object.'),
    name: required(3, Text(), 'Name of the object.'),
    scope: kept(4, Text({ enum: scopes }), {
      description: 'Whether the object is cluster-scoped (Cluster) or in a namespace (Namespace).',
      default: 'Cluster',
    }),
    namespace: kept(5, Text(), 'Namespace of the object, when the scope is Namespace.'),
  },
  { description: 'An object with further settings of the controller.' },
)
export type IngressClassParametersReference = Static<typeof IngressClassParametersReference>

export const IngressClassSpec = Struct(
  'networking.v1.IngressClassSpec',
  {
    controller: field(
      1,
      Text({ maxLength: 250 }),
      'Name of the controller, such as example.com/ingress-controller. At most 250 characters; it cannot be changed.',
    ),
    parameters: kept(2, IngressClassParametersReference, 'An object with further settings of the controller.'),
  },
  { description: 'Which controller serves the class.' },
)
export type IngressClassSpec = Static<typeof IngressClassSpec>

export const IngressClass = Kind(
  'networking.v1.IngressClass',
  {
    spec: embedded(2, IngressClassSpec, 'Desired state.'),
  },
  { description: 'A class of ingresses, served by one controller. One of them may be marked as the default.' },
)
export type IngressClass = SentObjectOf<typeof IngressClass>
