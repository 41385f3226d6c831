import { embedded, Flag, field, Kind, kept, ListOf, MapOf, needed, type Static, Struct, Text } from 'orch/sdk'

export const ResourceAttributes = Struct('authorization.v1.ResourceAttributes', {
  namespace: field(1, Text()),
  verb: field(2, Text()),
  group: field(3, Text()),
  version: field(4, Text()),
  resource: field(5, Text()),
  subresource: field(6, Text()),
  name: field(7, Text()),
})
export type ResourceAttributes = Static<typeof ResourceAttributes>

export const NonResourceAttributes = Struct('authorization.v1.NonResourceAttributes', {
  path: field(1, Text()),
  verb: field(2, Text()),
})
export type NonResourceAttributes = Static<typeof NonResourceAttributes>

export const SubjectAccessReviewSpec = Struct('authorization.v1.SubjectAccessReviewSpec', {
  resourceAttributes: kept(1, ResourceAttributes),
  nonResourceAttributes: kept(2, NonResourceAttributes),
  user: field(3, Text()),
  groups: field(4, ListOf(Text())),
  extra: field(5, MapOf(ListOf(Text()))),
  uid: field(6, Text()),
})
export type SubjectAccessReviewSpec = Static<typeof SubjectAccessReviewSpec>

export const SubjectAccessReviewStatus = Struct('authorization.v1.SubjectAccessReviewStatus', {
  allowed: needed(1, Flag()),
  denied: field(4, Flag()),
  reason: field(2, Text()),
  evaluationError: field(3, Text()),
})
export type SubjectAccessReviewStatus = Static<typeof SubjectAccessReviewStatus>

export const SubjectAccessReview = Kind('authorization.v1.SubjectAccessReview', {
  spec: needed(2, SubjectAccessReviewSpec),
  status: embedded(3, SubjectAccessReviewStatus),
})
export type SubjectAccessReview = Static<typeof SubjectAccessReview>

export const LocalSubjectAccessReview = Kind('authorization.v1.LocalSubjectAccessReview', {
  spec: needed(2, SubjectAccessReviewSpec),
  status: embedded(3, SubjectAccessReviewStatus),
})
export type LocalSubjectAccessReview = Static<typeof LocalSubjectAccessReview>

export const SelfSubjectAccessReviewSpec = Struct('authorization.v1.SelfSubjectAccessReviewSpec', {
  resourceAttributes: kept(1, ResourceAttributes),
  nonResourceAttributes: kept(2, NonResourceAttributes),
})
export type SelfSubjectAccessReviewSpec = Static<typeof SelfSubjectAccessReviewSpec>

export const SelfSubjectAccessReview = Kind('authorization.v1.SelfSubjectAccessReview', {
  spec: needed(2, SelfSubjectAccessReviewSpec),
  status: embedded(3, SubjectAccessReviewStatus),
})
export type SelfSubjectAccessReview = Static<typeof SelfSubjectAccessReview>
