import { embedded, Flag, field, Kind, ListOf, needed, type Static, Struct, Text } from 'orch/sdk'

export const SelfSubjectRulesReviewSpec = Struct('authorization.v1.SelfSubjectRulesReviewSpec', {
  namespace: field(1, Text()),
})
export type SelfSubjectRulesReviewSpec = Static<typeof SelfSubjectRulesReviewSpec>

export const ResourceRule = Struct('authorization.v1.ResourceRule', {
  verbs: needed(1, ListOf(Text())),
  apiGroups: field(2, ListOf(Text())),
  resources: field(3, ListOf(Text())),
  resourceNames: field(4, ListOf(Text())),
})
export type ResourceRule = Static<typeof ResourceRule>

export const NonResourceRule = Struct('authorization.v1.NonResourceRule', {
  verbs: needed(1, ListOf(Text())),
  nonResourceURLs: field(2, ListOf(Text())),
})
export type NonResourceRule = Static<typeof NonResourceRule>

export const SubjectRulesReviewStatus = Struct('authorization.v1.SubjectRulesReviewStatus', {
  resourceRules: needed(1, ListOf(ResourceRule)),
  nonResourceRules: needed(2, ListOf(NonResourceRule)),
  incomplete: needed(3, Flag()),
  evaluationError: field(4, Text()),
})
export type SubjectRulesReviewStatus = Static<typeof SubjectRulesReviewStatus>

export const SelfSubjectRulesReview = Kind('authorization.v1.SelfSubjectRulesReview', {
  spec: needed(2, SelfSubjectRulesReviewSpec),
  status: embedded(3, SubjectRulesReviewStatus),
})
export type SelfSubjectRulesReview = Static<typeof SelfSubjectRulesReview>
