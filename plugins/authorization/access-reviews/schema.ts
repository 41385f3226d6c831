import {
  AtomicList,
  Bool,
  embedded,
  field,
  Kind,
  kept,
  LabelSelectorRequirement,
  ListOf,
  MapOf,
  required,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'

const fromSelectors = { since: '1.31', gate: 'AuthorizeWithSelectors' } as const
const FieldSelectorRequirement = Struct(
  'meta.v1.FieldSelectorRequirement',
  {
    key: required(1, Text(), 'The field that is compared.'),
    operator: required(2, Text(), 'In, NotIn, Exists or DoesNotExist; newer servers may know others.'),
    values: field(3, AtomicList(Text()), 'What it is compared with.'),
  },
  { description: 'A condition on a field.' },
)
const FieldSelectorAttributes = Struct(
  'authorization.v1.FieldSelectorAttributes',
  {
    rawSelector: field(1, Text(), 'The selector as in a query. Mutually exclusive with requirements.'),
    requirements: field(2, AtomicList(FieldSelectorRequirement), 'Conditions on fields, all of which must hold.'),
  },
  { description: 'What a request selects by fields.' },
)
const LabelSelectorAttributes = Struct(
  'authorization.v1.LabelSelectorAttributes',
  {
    rawSelector: field(1, Text(), 'The selector as in a query. Mutually exclusive with requirements.'),
    requirements: field(2, AtomicList(LabelSelectorRequirement), 'Conditions on labels, all of which must hold.'),
  },
  { description: 'What a request selects by labels.' },
)

export const ResourceAttributes = Struct(
  'authorization.v1.ResourceAttributes',
  {
    namespace: field(1, Text(), 'Namespace of the object. Empty means all namespaces, or a cluster-scoped resource.'),
    verb: field(
      2,
      Text(),
      'What is to be done: get, list, watch, create, update, patch, delete, deletecollection, or * for all.',
    ),
    group: field(3, Text(), 'API group of the resource; * means all.'),
    version: field(4, Text(), 'API version of the resource; * means all.'),
    resource: field(5, Text(), 'Plural name of the resource; * means all.'),
    subresource: field(6, Text(), 'Subresource, such as status. Empty means the resource itself.'),
    name: field(7, Text(), 'Name of the object. Empty means all of them.'),
    fieldSelector: kept(8, FieldSelectorAttributes, {
      description: 'What a list, watch or deletecollection selects by fields.',
      ...fromSelectors,
    }),
    labelSelector: kept(9, LabelSelectorAttributes, {
      description: 'What a list, watch or deletecollection selects by labels.',
      ...fromSelectors,
    }),
  },
  { description: 'Access to a resource.' },
)
export type ResourceAttributes = Static<typeof ResourceAttributes>

export const NonResourceAttributes = Struct(
  'authorization.v1.NonResourceAttributes',
  {
    path: field(1, Text(), 'Path of the URL.'),
    verb: field(2, Text(), 'HTTP method in lower case.'),
  },
  { description: 'Access to a path outside the resource API.' },
)
export type NonResourceAttributes = Static<typeof NonResourceAttributes>

export const SubjectAccessReviewSpec = Struct(
  'authorization.v1.SubjectAccessReviewSpec',
  {
    resourceAttributes: kept(1, ResourceAttributes, 'Access to a resource.'),
    nonResourceAttributes: kept(2, NonResourceAttributes, 'Access to another path.'),
    user: field(3, Text(), 'Name of the user in question.'),
    groups: field(4, ListOf(Text()), 'Groups of the user in question.'),
    extra: field(5, MapOf(ListOf(Text())), 'Further facts about the user, as an authenticator would give them.'),
    uid: field(6, Text(), 'UID of the user in question.'),
  },
  { description: 'Who wants to do what. Exactly one of the two kinds of attributes is given.' },
)
export type SubjectAccessReviewSpec = Static<typeof SubjectAccessReviewSpec>

export const SubjectAccessReviewStatus = Struct(
  'authorization.v1.SubjectAccessReviewStatus',
  {
    allowed: required(1, Bool(), 'Whether the action is allowed.'),
    denied: field(
      4,
      Bool(),
      'Whether the action is explicitly denied, as opposed to not being allowed by any authorizer.',
    ),
    reason: field(2, Text(), 'Why it was decided so.'),
    evaluationError: field(3, Text(), 'What went wrong while deciding. A decision may have been made nevertheless.'),
  },
  { description: 'Whether it is allowed.' },
)
export type SubjectAccessReviewStatus = Static<typeof SubjectAccessReviewStatus>

export const SubjectAccessReview = Kind(
  'authorization.v1.SubjectAccessReview',
  {
    spec: required(2, SubjectAccessReviewSpec, 'Who wants to do what.'),
    status: embedded(3, SubjectAccessReviewStatus, 'The answer.'),
  },
  { description: 'Asks whether a user may do something. Nothing is stored.' },
)
export type SubjectAccessReview = Static<typeof SubjectAccessReview>

export const LocalSubjectAccessReview = Kind(
  'authorization.v1.LocalSubjectAccessReview',
  {
    spec: required(2, SubjectAccessReviewSpec, 'Who wants to do what. Its namespace must be that of the request.'),
    status: embedded(3, SubjectAccessReviewStatus, 'The answer.'),
  },
  { description: 'Asks whether a user may do something in one namespace. Nothing is stored.' },
)
export type LocalSubjectAccessReview = Static<typeof LocalSubjectAccessReview>

export const SelfSubjectAccessReviewSpec = Struct(
  'authorization.v1.SelfSubjectAccessReviewSpec',
  {
    resourceAttributes: kept(1, ResourceAttributes, 'Access to a resource.'),
    nonResourceAttributes: kept(2, NonResourceAttributes, 'Access to another path.'),
  },
  { description: 'What the sender wants to do. Exactly one of the two kinds of attributes is given.' },
)
export type SelfSubjectAccessReviewSpec = Static<typeof SelfSubjectAccessReviewSpec>

export const SelfSubjectAccessReview = Kind(
  'authorization.v1.SelfSubjectAccessReview',
  {
    spec: required(2, SelfSubjectAccessReviewSpec, 'What the sender wants to do.'),
    status: embedded(3, SubjectAccessReviewStatus, 'The answer.'),
  },
  { description: 'Asks whether the sender may do something. Nothing is stored.' },
)
export type SelfSubjectAccessReview = Static<typeof SelfSubjectAccessReview>
