import { type Static, Type } from 'orch/sdk'

const mode = Type.Union(
  (['AlwaysAllow', 'AlwaysDeny', 'RBAC', 'Node', 'Webhook'] as const).map(name => Type.Literal(name)),
)

/** Used when neither modes nor a file are configured. */
export const usualModes = ['RBAC'] as const

export const AuthorizationOptions = Type.Object({
  authorizationMode: Type.Array(mode, {
    default: [...usualModes],
    minItems: 1,
    uniqueItems: true,
    description: 'Authorization modes in order; the first decision counts, and a request without one is denied.',
  }),
  authorizationConfig: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File with an AuthorizationConfiguration: the authorizers in their order, instead of --authorization-mode.',
    }),
  ),
  authorizationWebhookConfigFile: Type.Optional(
    Type.String({ minLength: 1, description: 'Client config file of the authorization webhook.' }),
  ),
  authorizationWebhookVersion: Type.Union([Type.Literal('v1'), Type.Literal('v1beta1')], {
    default: 'v1beta1',
    description: 'Version of the SubjectAccessReview that is sent to the webhook.',
  }),
  authorizationWebhookCacheAuthorizedTtl: Type.String({
    format: 'duration',
    default: '5m',
    description: 'How long requests that the webhook allowed are cached.',
  }),
  authorizationWebhookCacheUnauthorizedTtl: Type.String({
    format: 'duration',
    default: '30s',
    description: 'How long requests that the webhook did not allow are cached.',
  }),
})
export type AuthorizationOptions = Static<typeof AuthorizationOptions>
export type AuthorizationMode = AuthorizationOptions['authorizationMode'][number]
