import { apiAudiences, definePlugin } from 'orch/sdk'
import { accountTokensLoop } from './account-loops/account-tokens.js'
import { defaultAccountLoop } from './account-loops/default-account.js'
import { checkRootCa, rootCaService } from './account-loops/root-ca.js'
import { rootCaPublisher } from './account-loops/root-ca-publisher.js'
import { accountKeysService, checkAccountKeys } from './account-tokens/account-keys.js'
import { accountTokenSettings } from './account-tokens/settings.js'
import { serviceAccountAdmission } from './admission/service-account.js'
import { bootstrapSigner } from './bootstrap/bootstrap-signer.js'
import { tokenCleaner } from './bootstrap/token-cleaner.js'
import { checkOptions } from './check-options.js'
import { discoveryRoutes } from './issuer-discovery/routes.js'
import { methodsOf } from './methods/methods.js'
import { authenticationNames } from './names.js'
import { openIdClientService } from './openid-connect/openid-client.js'
import { signInRoute } from './openid-connect/sign-in-route.js'
import { AuthenticationOptions } from './options.js'
import { publishSettings } from './published-settings.js'
import { serviceAccounts } from './service-accounts/resource.js'
import { jwtIssuersService } from './structured/jwt-issuers.js'
import { tokenSubresource } from './token-requests/token-subresource.js'
import { tokenReviews } from './token-reviews/resource.js'

export { conformance } from './conformance.js'

export const authentication = definePlugin({
  name: 'authentication',
  requires: ['namespaces', 'configuration'],
  options: AuthenticationOptions,
  register(to, { vendor, options }) {
    const names = authenticationNames(vendor)
    const settings = accountTokenSettings(options, names)
    to.onStart(checkOptions(options), checkAccountKeys, checkRootCa, publishSettings(options, names))
    to.service({ token: apiAudiences, create: () => settings.audiences })
    to.service(accountKeysService(options), rootCaService(options.rootCaFile), openIdClientService(options))
    if (options.authenticationConfig !== undefined)
      to.service(jwtIssuersService(options.authenticationConfig, names, settings.issuers, !options.anonymousAuth))
    for (const { authenticator, check } of methodsOf(options, settings, names, vendor)) {
      to.authenticator(authenticator)
      if (check) to.onStart({ ...check, isCheck: true })
    }
    to.resource(serviceAccounts({ token: tokenSubresource(settings, names) }), tokenReviews(names))
    to.admission(serviceAccountAdmission(names))
    to.controller(defaultAccountLoop(names), accountTokensLoop(names), rootCaPublisher(names))
    to.controller(tokenCleaner(names), bootstrapSigner(names))
    to.route(...discoveryRoutes(settings.issuer, options.serviceAccountJwksUri), signInRoute(options))
  },
})
