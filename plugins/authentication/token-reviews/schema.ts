import { Bool, embedded, field, Kind, ListOf, MapOf, required, type Static, Struct, Text } from 'orch/sdk'

export const TokenReviewSpec = Struct(
  'authentication.v1.TokenReviewSpec',
  {
    token: field(1, Text(), {
      description: 'The bearer token.',
      revised: [{ since: '1.36', to: { isRequired: true } }],
    }),
    audiences: field(
      2,
      ListOf(Text()),
      "Identifiers of the server that asks. The token must be for one of them; the API server's own by default.",
    ),
  },
  { description: 'The token to check.' },
)
export type TokenReviewSpec = Static<typeof TokenReviewSpec>

export const UserInfo = Struct(
  'authentication.v1.UserInfo',
  {
    username: field(1, Text(), 'Name that identifies the user among all active ones.'),
    uid: field(2, Text(), 'Identifies the user over time: a new user of an old name has another one.'),
    groups: field(3, ListOf(Text()), 'Groups that the user is a member of.'),
    extra: field(4, MapOf(ListOf(Text())), 'Further facts from the authenticator. It holds no secrets.'),
  },
  { description: 'Information about a user.' },
)
export type UserInfo = Static<typeof UserInfo>

export const TokenReviewStatus = Struct(
  'authentication.v1.TokenReviewStatus',
  {
    authenticated: field(1, Bool(), 'Whether the token belongs to a known user.'),
    user: embedded(2, UserInfo, 'The user, when the token is good.'),
    audiences: field(
      4,
      ListOf(Text()),
      "Those of the wanted audiences that the token is for. Empty means the API server's.",
    ),
    error: field(3, Text(), 'Why the token could not be checked.'),
  },
  { description: 'Whose token it is.' },
)
export type TokenReviewStatus = Static<typeof TokenReviewStatus>

export const TokenReview = Kind(
  'authentication.v1.TokenReview',
  {
    spec: required(2, TokenReviewSpec, 'Desired state.'),
    status: embedded(3, TokenReviewStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Asks whose token it is. Nothing is stored.' },
)
export type TokenReview = Static<typeof TokenReview>
