import { Bool, embedded, field, Kind, ListOf, required, type Static, Struct, Text } from 'orch/sdk'

export const SelfSubjectRulesReviewSpec = Struct(
  'authorization.v1.SelfSubjectRulesReviewSpec',
  {
    namespace: field(1, Text(), 'The namespace.'),
  },
  { description: "Where the sender's permissions are wanted." },
)
export type SelfSubjectRulesReviewSpec = Static<typeof SelfSubjectRulesReviewSpec>

export const ResourceRule = Struct(
  'authorization.v1.ResourceRule',
  {
    verbs: required(1, ListOf(Text()), 'What may be done; * means everything.'),
    apiGroups: field(2, ListOf(Text()), 'API groups of the resources; * means all.'),
    resources: field(3, ListOf(Text()), 'Resources, or resource/subresource; * means all.'),
    resourceNames: field(4, ListOf(Text()), 'Names of objects. Empty means all of them.'),
  },
  { description: 'Something that is allowed with resources.' },
)
export type ResourceRule = Static<typeof ResourceRule>

export const NonResourceRule = Struct(
  'authorization.v1.NonResourceRule',
  {
    verbs: required(1, ListOf(Text()), 'HTTP methods in lower case; * means all.'),
    nonResourceURLs: field(2, ListOf(Text()), 'Paths; * at the end stands for everything below.'),
  },
  { description: 'Something that is allowed with other paths.' },
)
export type NonResourceRule = Static<typeof NonResourceRule>

export const SubjectRulesReviewStatus = Struct(
  'authorization.v1.SubjectRulesReviewStatus',
  {
    resourceRules: required(1, ListOf(ResourceRule), 'What is allowed with resources.'),
    nonResourceRules: required(2, ListOf(NonResourceRule), 'What is allowed with other paths.'),
    incomplete: required(3, Bool(), 'Whether there may be more: some authorizers cannot list what they allow.'),
    evaluationError: field(4, Text(), 'What went wrong while listing.'),
  },
  { description: 'What the sender may do, as far as it can be listed.' },
)
export type SubjectRulesReviewStatus = Static<typeof SubjectRulesReviewStatus>

export const SelfSubjectRulesReview = Kind(
  'authorization.v1.SelfSubjectRulesReview',
  {
    spec: required(2, SelfSubjectRulesReviewSpec, 'Where.'),
    status: embedded(3, SubjectRulesReviewStatus, 'The answer.'),
  },
  { description: 'Lists what the sender may do in a namespace. Nothing is stored.' },
)
export type SelfSubjectRulesReview = Static<typeof SelfSubjectRulesReview>
