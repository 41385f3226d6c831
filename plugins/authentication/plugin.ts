import { definePlugin } from 'orch/sdk'
import { apiAudiences } from 'orch/sdk/identity'
import { accountTokensLoop } from './account-loops/account-tokens.js'
import { defaultAccountLoop } from './account-loops/default-account.js'
import { checkRootCa, rootCaService } from './account-loops/root-ca.js'
import { rootCaPublisher } from './account-loops/root-ca-publisher.js'
import { unusedTokensLoop } from './account-loops/unused-tokens.js'
import { accountKeysService, checkAccountKeys } from './account-tokens/account-keys.js'
import { accountTokenSettings } from './account-tokens/settings.js'
import { serviceAccountAdmission } from './admission/service-account.js'
import { bootstrapSigner } from './bootstrap/bootstrap-signer.js'
import { tokenCleaner } from './bootstrap/token-cleaner.js'
import { checkOptions } from './check-options.js'
import { differences, noAutomaticSecrets, trackedTokens } from './differences.js'
import { authenticationGates, gatesOf } from './gates.js'
import { discoveryRoutes } from './issuer-discovery/routes.js'
import { methodsOf } from './methods/methods.js'
import { authenticationNames } from './names.js'
import { openIdClientService } from './openid-connect/openid-client.js'
import { signInRoute } from './openid-connect/sign-in-route.js'
import { AuthenticationOptions } from './options.js'
import { publishSettings } from './published-settings.js'
import { selfSubjectReviews } from './self-subject-reviews/resource.js'
import { serviceAccounts } from './service-accounts/resource.js'
import { warningStrategy } from './service-accounts/strategy.js'
import { jwtIssuersService } from './structured/jwt-issuers.js'
import { tokenSubresource } from './token-requests/token-subresource.js'
import { tokenReviews } from './token-reviews/resource.js'
import { recordTrackingStart } from './tracking-start.js'

export { conformance } from './conformance.js'

export const authentication = definePlugin({
  name: 'authentication',
  differences,
  gates: authenticationGates,
  requires: ['namespaces', 'configuration'],
  options: AuthenticationOptions,
  register(to, { vendor, options, isEnabled }) {
    const gates = gatesOf(isEnabled)
    // The specification does not have this key; an operator who configures the headers wants extension servers to
    // receive them.
    const publishesUids =
      gates.RemoteRequestHeaderUID && (!vendor.level.isAdditive || options.requestheaderUidHeaders.length > 0)
    const names = authenticationNames(vendor)
    const settings = accountTokenSettings(options, names)
    to.onStart(checkOptions(options), checkAccountKeys, checkRootCa, publishSettings(options, names, publishesUids))
    to.service({ token: apiAudiences, create: () => settings.audiences })
    to.service(accountKeysService(options), rootCaService(options.rootCaFile), openIdClientService(options))
    if (options.authenticationConfig !== undefined)
      to.service(jwtIssuersService(options.authenticationConfig, names, settings.issuers, !options.anonymousAuth))
    for (const { authenticator, check } of methodsOf(options, settings, names, vendor, gates)) {
      to.authenticator(authenticator)
      if (check) to.onStart({ ...check, isCheck: true })
    }
    const token = tokenSubresource(settings, names, vendor.level, gates)
    to.resource(serviceAccounts({ token }, warningStrategy(names, vendor.level)), tokenReviews(names))
    to.resource(selfSubjectReviews(names))
    to.admission(serviceAccountAdmission(names))
    to.controller(
      defaultAccountLoop(names),
      accountTokensLoop(names, !vendor.level.has(noAutomaticSecrets)),
      rootCaPublisher(names),
    )
    to.controller(tokenCleaner(names), bootstrapSigner(names), unusedTokensLoop(names))
    to.onStart(recordTrackingStart(names, vendor.level.has(trackedTokens)))
    to.healthCheck(
      { name: 'poststarthook/start-cluster-authentication-info-controller' },
      { name: 'poststarthook/start-legacy-token-tracking-controller', since: '1.27' },
    )
    to.route(...discoveryRoutes(settings.issuer, options.serviceAccountJwksUri), signInRoute(options))
  },
})
