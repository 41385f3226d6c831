import { type Static, Type } from 'orch/sdk'

const mode = Type.Union(
  (['AlwaysAllow', 'AlwaysDeny', 'RBAC', 'Node', 'Webhook'] as const).map(name => Type.Literal(name)),
)

/** Asked where neither modes nor a file are named. */
export const usualModes = ['RBAC'] as const

export const AuthorizationOptions = Type.Object({
  authorizationMode: Type.Array(mode, {
    default: [...usualModes],
    minItems: 1,
    uniqueItems: true,
    description: 'Authorization modes, asked in this order; the first opinion counts, none is a refusal.',
  }),
  authorizationConfig: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'File with an AuthorizationConfiguration: the authorizers in their order, instead of --authorization-mode.',
    }),
  ),
  authorizationWebhookConfigFile: Type.Optional(
    Type.String({ minLength: 1, description: 'Client config file that says how to reach the authorization webhook.' }),
  ),
  authorizationWebhookVersion: Type.Union([Type.Literal('v1'), Type.Literal('v1beta1')], {
    default: 'v1beta1',
    description: 'Version of the SubjectAccessReview that is sent to the webhook.',
  }),
  authorizationWebhookCacheAuthorizedTtl: Type.String({
    format: 'duration',
    default: '5m',
    description: 'How long the webhook is not asked again about what it allowed.',
  }),
  authorizationWebhookCacheUnauthorizedTtl: Type.String({
    format: 'duration',
    default: '30s',
    description: 'How long the webhook is not asked again about what it did not allow.',
  }),
})
export type AuthorizationOptions = Static<typeof AuthorizationOptions>
export type AuthorizationMode = AuthorizationOptions['authorizationMode'][number]
