import { services, type Vendor } from 'orch/sdk'
import { anonymousUser, defineAuthenticator } from 'orch/sdk/identity'
import type { AccountTokenSettings } from '../account-tokens/settings.js'
import { certificateIds } from '../differences.js'
import type { AuthenticationGates } from '../gates.js'
import type { AuthenticationNames } from '../names.js'
import type { AuthenticationOptions } from '../options.js'
import { jwtIssuers } from '../structured/jwt-issuers.js'
import { authenticatingProxy } from './authenticating-proxy.js'
import { bootstrapTokens } from './bootstrap-tokens.js'
import { clientCertificates } from './client-certificates.js'
import { configuredIssuers } from './configured-issuers.js'
import type { Method } from './method.js'
import { openIdConnect } from './openid-connect.js'
import { serviceAccountTokens } from './service-account-tokens.js'
import { staticTokens } from './static-tokens.js'
import { tokenWebhook } from './token-webhook.js'

const needs = { authorizer: services.authorizer }

/** A request without any credential is anonymous. Not available where everything is allowed. */
const anonymous: Method<typeof needs> = {
  authenticator: defineAuthenticator({
    name: 'anonymous',
    kind: 'anonymous',
    needs,
    authenticate: (_credentials, { authorizer }) =>
      authorizer.modes.includes('AlwaysAllow') ? undefined : { user: anonymousUser },
  }),
}

const configuredNeeds = { ...needs, issuers: jwtIssuers }
/** The same where --authentication-config may enable or disable it. */
const anonymousUnlessConfigured = (byDefault: boolean): Method<typeof configuredNeeds> => ({
  authenticator: defineAuthenticator({
    name: 'anonymous',
    kind: 'anonymous',
    needs: configuredNeeds,
    authenticate(credentials, { authorizer, issuers }) {
      const { enabled, paths } = issuers.current.anonymous ?? { enabled: byDefault, paths: undefined }
      if (!enabled || (paths && !paths.has(credentials.path()))) return undefined
      return anonymous.authenticator.authenticate(credentials, { authorizer })
    },
  }),
})

/** The configured methods in the order they are tried: the cheapest first, other servers last. */
export function methodsOf(
  options: AuthenticationOptions,
  accounts: AccountTokenSettings,
  names: AuthenticationNames,
  vendor: Vendor,
  gates: AuthenticationGates,
  // biome-ignore lint/suspicious/noExplicitAny: methods with different needs stand in one list
): Method<any>[] {
  const { requestheaderClientCaFile: proxyCa, tokenAuthFile, oidcIssuerUrl, oidcClientId } = options
  const { authenticationTokenWebhookConfigFile: webhookFile } = options
  return [
    ...(proxyCa === undefined ? [] : [authenticatingProxy(options, proxyCa, gates.RemoteRequestHeaderUID)]),
    clientCertificates(options.clientCaFile, {
      ...(vendor.level.has(certificateIds) ? { idExtra: names.credentialIdExtra } : {}),
      readsUid: gates.AllowParsingUserUIDFromCertAuth,
    }),
    ...(tokenAuthFile === undefined ? [] : [staticTokens(tokenAuthFile)]),
    serviceAccountTokens(accounts, names, vendor.level, gates),
    ...(options.enableBootstrapTokenAuth ? [bootstrapTokens(names)] : []),
    ...(oidcIssuerUrl === undefined || oidcClientId === undefined ? [] : [openIdConnect(options, oidcIssuerUrl)]),
    ...(options.authenticationConfig === undefined ? [] : [configuredIssuers]),
    ...(webhookFile === undefined ? [] : [tokenWebhook(options, webhookFile, accounts.audiences, names, vendor)]),
    ...(options.authenticationConfig === undefined
      ? options.anonymousAuth
        ? [anonymous]
        : []
      : [anonymousUnlessConfigured(options.anonymousAuth)]),
  ]
}
