import type { AuthenticationNames } from '../names.js'
import type { AuthenticationOptions } from '../options.js'
import { anonymous } from './anonymous.js'
import { authenticatingProxy } from './authenticating-proxy.js'
import { bootstrapTokens } from './bootstrap-tokens.js'
import { clientCertificates } from './client-certificates.js'
import type { Method } from './method.js'
import { type AccountTokenSettings, serviceAccountTokens } from './service-account-tokens.js'
import { staticTokens } from './static-tokens.js'

/** The methods that the options ask for, in the order they are asked. */
export function methodsOf(
  options: AuthenticationOptions,
  accounts: AccountTokenSettings,
  names: AuthenticationNames,
  // biome-ignore lint/suspicious/noExplicitAny: methods with different needs stand in one list
): Method<any>[] {
  const { requestheaderClientCaFile, tokenAuthFile } = options
  return [
    ...(requestheaderClientCaFile === undefined ? [] : [authenticatingProxy(options, requestheaderClientCaFile)]),
    clientCertificates(options.clientCaFile),
    ...(tokenAuthFile === undefined ? [] : [staticTokens(tokenAuthFile)]),
    serviceAccountTokens(accounts, names),
    ...(options.enableBootstrapTokenAuth ? [bootstrapTokens(names)] : []),
    ...(options.anonymousAuth ? [anonymous] : []),
  ]
}
