import { type Static, Type } from 'orch/sdk'

const file = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const texts = (description: string, value: string[] = []) =>
  Type.Array(Type.String({ minLength: 1 }), { default: value, description })
const duration = (value: string, description: string) =>
  Type.String({ format: 'duration', default: value, description })
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })

const certificates = {
  clientCaFile: file('PEM file with the CAs whose client certificates are accepted; read again when it changes.'),
}
const tokens = {
  tokenAuthFile: file('CSV file of static tokens: token, user name, uid, optional groups; read again when it changes.'),
  enableBootstrapTokenAuth: flag(false, 'Accept bootstrap tokens, which are Secrets of the system namespace.'),
  anonymousAuth: flag(
    true,
    'Let requests without credentials through as system:anonymous; never with authorization mode AlwaysAllow.',
  ),
  apiAudiences: texts('Audiences of this server; those of --service-account-issuer by default.'),
}
const serviceAccounts = {
  serviceAccountKeyFile: texts('PEM files with keys that tokens of service accounts are checked with; repeatable.'),
  serviceAccountSigningKeyFile: file('PEM file with the private key that signs tokens that are asked for.'),
  serviceAccountPrivateKeyFile: file('PEM file with the private key that signs tokens in Secrets.'),
  serviceAccountLookup: flag(true, 'Refuse tokens whose account, Secret or Pod no longer exists.'),
  serviceAccountIssuer: texts('Issuer of service account tokens; the first signs, the others are accepted too.'),
  serviceAccountJwksUri: text('Where the discovery document says the keys are, instead of this server.'),
  serviceAccountMaxTokenExpiration: duration('0s', 'Longest life of a token that is asked for; 0s means no limit.'),
  serviceAccountExtendTokenExpiration: flag(
    true,
    'Let the tokens of automatic volumes live a year, so that old clients that never read them again go on working.',
  ),
  rootCaFile: file('PEM file with the CA that Pods get to know the server by; the CA of the server by default.'),
}
const openIdConnect = {
  oidcIssuerUrl: text('URL of the OpenID Connect issuer, https only.'),
  oidcClientId: text('Client that ID tokens must be issued for.'),
  oidcUsernameClaim: Type.String({ minLength: 1, default: 'sub', description: 'Claim that gives the user name.' }),
  oidcUsernamePrefix: Type.Optional(
    Type.String({
      description: 'Put before user names; "<issuer>#" by default unless the claim is email, "-" for nothing.',
    }),
  ),
  oidcGroupsClaim: text('Claim that gives the groups.'),
  oidcGroupsPrefix: Type.String({ default: '', description: 'Put before group names.' }),
  oidcRequiredClaim: Type.Record(Type.String(), Type.String(), {
    default: {},
    description: 'key=value that must be among the claims; repeatable.',
  }),
  oidcSigningAlgs: texts('Algorithms that ID tokens may be signed with.', ['RS256']),
  oidcClientSecretFile: file('File with the secret of that client, for signing in; not for a public client.'),
  oidcSignInScopes: texts('What people who sign in with a browser let this server know of them.', [
    'openid',
    'profile',
    'email',
  ]),
  oidcCaFile: file('PEM file with the CA of the issuer; those of the host by default.'),
}
const structured = {
  authenticationConfig: file(
    'File with an AuthenticationConfiguration: issuers of tokens and what their claims mean; read again when it changes.',
  ),
}
const webhook = {
  authenticationTokenWebhookConfigFile: file('Client config file that says how to reach the token webhook.'),
  authenticationTokenWebhookCacheTtl: duration('2m', 'How long the token webhook is not asked again about a token.'),
  authenticationTokenWebhookVersion: Type.Union([Type.Literal('v1'), Type.Literal('v1beta1')], {
    default: 'v1beta1',
    description: 'Version of the TokenReview that the token webhook gets.',
  }),
}
const proxy = {
  requestheaderUsernameHeaders: texts('Headers in which the authenticating proxy gives the user name; first one set.'),
  requestheaderGroupHeaders: texts('Headers in which the authenticating proxy gives groups.'),
  requestheaderExtraHeadersPrefix: texts('What begins the names of headers that give extra information.'),
  requestheaderClientCaFile: file('PEM file with the CAs of the client certificate of the authenticating proxy.'),
  requestheaderAllowedNames: texts('Common names that certificate may have; any by default.'),
}

/** Each is a config key and a flag: `tokenAuthFile` is `--token-auth-file`. */
export const AuthenticationOptions = Type.Object({
  ...certificates,
  ...tokens,
  ...serviceAccounts,
  ...openIdConnect,
  ...structured,
  ...webhook,
  ...proxy,
})
export type AuthenticationOptions = Static<typeof AuthenticationOptions>
