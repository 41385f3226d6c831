import { embedded, Flag, field, Kind, ListOf, MapOf, needed, type Static, Struct, Text } from 'orch/sdk'

export const TokenReviewSpec = Struct('authentication.v1.TokenReviewSpec', {
  token: field(1, Text()),
  audiences: field(2, ListOf(Text())),
})
export type TokenReviewSpec = Static<typeof TokenReviewSpec>

export const UserInfo = Struct('authentication.v1.UserInfo', {
  username: field(1, Text()),
  uid: field(2, Text()),
  groups: field(3, ListOf(Text())),
  extra: field(4, MapOf(ListOf(Text()))),
})
export type UserInfo = Static<typeof UserInfo>

export const TokenReviewStatus = Struct('authentication.v1.TokenReviewStatus', {
  authenticated: field(1, Flag()),
  user: embedded(2, UserInfo),
  audiences: field(4, ListOf(Text())),
  error: field(3, Text()),
})
export type TokenReviewStatus = Static<typeof TokenReviewStatus>

export const TokenReview = Kind('authentication.v1.TokenReview', {
  spec: needed(2, TokenReviewSpec),
  status: embedded(3, TokenReviewStatus),
})
export type TokenReview = Static<typeof TokenReview>
