import { apiAudiences, definePlugin, parseDuration } from 'orch/sdk'
import { accountTokensLoop } from './account-loops/account-tokens.js'
import { defaultAccountLoop } from './account-loops/default-account.js'
import { checkRootCa, rootCaService } from './account-loops/root-ca.js'
import { rootCaPublisher } from './account-loops/root-ca-publisher.js'
import { accountKeysService, checkAccountKeys } from './account-tokens/account-keys.js'
import { methodsOf } from './methods/methods.js'
import { authenticationNames } from './names.js'
import { AuthenticationOptions } from './options.js'
import { serviceAccounts } from './service-accounts/resource.js'
import { tokenSubresource } from './token-requests/token-subresource.js'
import { tokenReviews } from './token-reviews/resource.js'

export const authentication = definePlugin({
  name: 'authentication',
  requires: ['namespaces', 'configuration'],
  options: AuthenticationOptions,
  register(to, { vendor, options }) {
    const names = authenticationNames(vendor)
    const issuers = options.serviceAccountIssuer.length > 0 ? options.serviceAccountIssuer : [names.defaultIssuer]
    const audiences = options.apiAudiences.length > 0 ? options.apiAudiences : issuers
    const methods = methodsOf(options, { issuers, audiences, lookup: options.serviceAccountLookup }, names)
    const token = tokenSubresource(
      {
        issuer: issuers[0] ?? names.defaultIssuer,
        audiences,
        maxSeconds: parseDuration(options.serviceAccountMaxTokenExpiration) / 1000,
        extendsVolumeTokens: options.serviceAccountExtendTokenExpiration,
      },
      names,
    )
    to.service({ token: apiAudiences, create: () => audiences })
    to.service(accountKeysService(options), rootCaService(options.rootCaFile))
    to.onStart(checkAccountKeys, checkRootCa)
    for (const { authenticator, check } of methods) {
      to.authenticator(authenticator)
      if (check) to.onStart(check)
    }
    to.resource(serviceAccounts({ token }), tokenReviews(names))
    to.controller(defaultAccountLoop(names), accountTokensLoop(names), rootCaPublisher(names))
  },
})
