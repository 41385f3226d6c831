import { embedded, field, Int64, Kind, kept, ListOf, required, type Static, Struct, Text, Time } from 'orch/sdk'

export const BoundObjectReference = Struct(
  'authentication.v1.BoundObjectReference',
  {
    kind: field(1, Text(), 'Kind of the object: Pod or Secret.'),
    apiVersion: field(2, Text(), 'API version of the object.'),
    name: field(3, Text(), 'Name of the object, in the namespace of the account.'),
    uid: field(4, Text(), 'UID of the object; another object of the same name does not count.'),
  },
  { description: 'The object whose deletion ends a token.' },
)
export type BoundObjectReference = Static<typeof BoundObjectReference>

export const TokenRequestSpec = Struct(
  'authentication.v1.TokenRequestSpec',
  {
    audiences: required(1, ListOf(Text()), {
      description: 'Who the token is for. Servers refuse tokens that are for others. The API server itself by default.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    expirationSeconds: kept(4, Int64(), {
      description: 'Wanted lifetime in seconds, at least 600. The server may give less.',
      default: 3600,
    }),
    boundObjectRef: embedded(3, BoundObjectReference, {
      description: 'An object that the token depends on: it ends when that is deleted.',
      nullable: true,
    }),
  },
  { description: 'What kind of token is wanted.' },
)
export type TokenRequestSpec = Static<typeof TokenRequestSpec>

export const TokenRequestStatus = Struct(
  'authentication.v1.TokenRequestStatus',
  {
    token: required(1, Text(), {
      description: 'The token, to be sent as a bearer token.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    expirationTimestamp: required(2, Time(), {
      description: 'When the token ends.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
  },
  { description: 'The token.' },
)
export type TokenRequestStatus = Static<typeof TokenRequestStatus>

export const TokenRequest = Kind(
  'authentication.v1.TokenRequest',
  {
    spec: required(2, TokenRequestSpec, {
      description: 'Desired state.',
      revised: [{ since: '1.36', to: { isRequired: false } }],
    }),
    status: embedded(3, TokenRequestStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Asks for a token of a service account.' },
)
export type TokenRequest = Static<typeof TokenRequest>
