import { type Static, Type } from 'orch/sdk'

const file = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const texts = (description: string, value: string[] = []) =>
  Type.Array(Type.String({ minLength: 1 }), { default: value, description })
const duration = (value: string, description: string) =>
  Type.String({ format: 'duration', default: value, description })
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })

const certificates = {
  clientCaFile: file('PEM file with the CAs that client certificates are verified against; reloaded when it changes.'),
}
const tokens = {
  tokenAuthFile: file('CSV file of static tokens: token, user name, uid, optional groups; reloaded when it changes.'),
  enableBootstrapTokenAuth: flag(false, 'Accept bootstrap tokens, which are Secrets of the system namespace.'),
  anonymousAuth: flag(
    true,
    'Accept requests without credentials as system:anonymous; never with authorization mode AlwaysAllow.',
  ),
  apiAudiences: texts('Audiences of this server; those of --service-account-issuer by default.'),
}
const serviceAccounts = {
  serviceAccountKeyFile: texts('PEM files with keys that tokens of service accounts are verified with; repeatable.'),
  serviceAccountSigningKeyFile: file('PEM file with the private key that signs requested tokens.'),
  serviceAccountPrivateKeyFile: file('PEM file with the private key that signs tokens in Secrets.'),
  serviceAccountLookup: flag(true, 'Reject tokens whose account, Secret or Pod no longer exists.'),
  serviceAccountIssuer: texts(
    'Issuers of service account tokens; the first is used for new tokens, the others are accepted, too.',
  ),
  serviceAccountJwksUri: text('URL of the keys in the discovery document, instead of one of this server.'),
  serviceAccountMaxTokenExpiration: duration('0s', 'Maximum lifetime of requested tokens; 0s means no limit.'),
  serviceAccountExtendTokenExpiration: flag(
    true,
    'Extend the lifetime of tokens in automatic volumes to a year, so that old clients that never reload them keep working.',
  ),
  rootCaFile: file('PEM file with the CA that Pods verify the server with; the CA of the server by default.'),
}
const openIdConnect = {
  oidcIssuerUrl: text('URL of the OpenID Connect issuer, https only.'),
  oidcClientId: text('Client id that ID tokens must be issued for.'),
  oidcUsernameClaim: Type.String({ minLength: 1, default: 'sub', description: 'Claim with the user name.' }),
  oidcUsernamePrefix: Type.Optional(
    Type.String({
      description: 'Prefix of user names; "<issuer>#" by default unless the claim is email, "-" for nothing.',
    }),
  ),
  oidcGroupsClaim: text('Claim with the groups.'),
  oidcGroupsPrefix: Type.String({ default: '', description: 'Prefix of group names.' }),
  oidcRequiredClaim: Type.Record(Type.String(), Type.String(), {
    default: {},
    description: 'Required claim, key=value; repeatable.',
  }),
  oidcSigningAlgs: texts('Accepted signing algorithms of ID tokens.', ['RS256']),
  oidcClientSecretFile: file('File with the client secret, for signing in; not needed for a public client.'),
  oidcSignInScopes: texts('Scopes that are requested when users sign in with a browser.', [
    'openid',
    'profile',
    'email',
  ]),
  oidcCaFile: file('PEM file with the CA of the issuer; the CAs of the host by default.'),
}
const structured = {
  authenticationConfig: file(
    'File with an AuthenticationConfiguration: issuers of tokens and the mapping of their claims; reloaded when it changes.',
  ),
}
const webhook = {
  authenticationTokenWebhookConfigFile: file('Client config file of the token webhook.'),
  authenticationTokenWebhookCacheTtl: duration('2m', 'How long answers of the token webhook are cached.'),
  authenticationTokenWebhookVersion: Type.Union([Type.Literal('v1'), Type.Literal('v1beta1')], {
    default: 'v1beta1',
    description: 'Version of the TokenReview that is sent to the token webhook.',
  }),
}
const proxy = {
  requestheaderUsernameHeaders: texts(
    'Headers with the user name from the authenticating proxy; the first one that is set is used.',
  ),
  requestheaderUidHeaders: texts(
    'Headers with the UID of the user from the authenticating proxy; the first one that is set is used.',
  ),
  requestheaderGroupHeaders: texts('Headers with the groups from the authenticating proxy.'),
  requestheaderExtraHeadersPrefix: texts('Prefix of headers with extra information.'),
  requestheaderClientCaFile: file(
    'PEM file with the CAs that the client certificate of the authenticating proxy is verified against.',
  ),
  requestheaderAllowedNames: texts('Allowed common names of that certificate; any by default.'),
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
