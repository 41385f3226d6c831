import type { FeatureGate } from 'orch/sdk'

/** Feature gates of this plugin. */
export const authenticationGates = {
  ServiceAccountTokenJTI: {
    stage: 'stable',
    description: 'Tokens of service accounts have an id (jti), which is the credential id of their user.',
  },
  ServiceAccountTokenPodNodeInfo: {
    stage: 'stable',
    description: 'Tokens that are bound to a Pod name the node of that Pod.',
  },
  ServiceAccountTokenNodeBinding: {
    stage: 'stable',
    description: 'Tokens of service accounts can be bound to Nodes.',
  },
  ServiceAccountTokenNodeBindingValidation: {
    stage: 'stable',
    description: 'Tokens that are bound to a Node become invalid when it is deleted.',
  },
  TokenRequestServiceAccountUIDValidation: {
    stage: 'beta',
    description: 'A token request with the UID of another service account is refused.',
  },
  RemoteRequestHeaderUID: {
    stage: 'beta',
    description: 'Authenticating proxies can pass the UID of a user, and extension servers receive it.',
  },
  AllowParsingUserUIDFromCertAuth: {
    stage: 'beta',
    description: 'Client certificates can contain the UID of their user.',
  },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** Which of them are on. */
export type AuthenticationGates = Readonly<Record<keyof typeof authenticationGates, boolean>>
export const gatesOf = (isEnabled: (gate: string) => boolean): AuthenticationGates =>
  Object.fromEntries(Object.keys(authenticationGates).map(name => [name, isEnabled(name)])) as AuthenticationGates
