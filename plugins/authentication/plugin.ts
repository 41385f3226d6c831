import { definePlugin } from 'orch/sdk'
import { accountTokensLoop } from './account-loops/account-tokens.js'
import { defaultAccountLoop } from './account-loops/default-account.js'
import { checkRootCa, rootCaService } from './account-loops/root-ca.js'
import { rootCaPublisher } from './account-loops/root-ca-publisher.js'
import { accountKeysService, checkAccountKeys } from './account-tokens/account-keys.js'
import { anonymous } from './methods/anonymous.js'
import { clientCertificates } from './methods/client-certificates.js'
import { staticTokens } from './methods/static-tokens.js'
import { authenticationNames } from './names.js'
import { AuthenticationOptions } from './options.js'
import { serviceAccounts } from './service-accounts/resource.js'

export const authentication = definePlugin({
  name: 'authentication',
  requires: ['namespaces', 'configuration'],
  options: AuthenticationOptions,
  register(to, { vendor, options }) {
    const names = authenticationNames(vendor)
    to.authenticator(clientCertificates(options.clientCaFile))
    if (options.tokenAuthFile !== undefined) to.authenticator(staticTokens(options.tokenAuthFile))
    if (options.anonymousAuth) to.authenticator(anonymous)
    to.resource(serviceAccounts({}))
    to.service(accountKeysService(options), rootCaService(options.rootCaFile))
    to.onStart(checkAccountKeys, checkRootCa)
    to.controller(defaultAccountLoop(names), accountTokensLoop(names), rootCaPublisher(names))
  },
})
