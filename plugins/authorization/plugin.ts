import { definePlugin } from 'orch/sdk'
import { accessReviews } from './access-reviews/resource.js'
import { clusterRoleAggregation } from './aggregation/controller.js'
import { clusterRoleBindings } from './cluster-role-bindings/resource.js'
import { clusterRoles } from './cluster-roles/resource.js'
import { defaultsReconciled, installDefaults, policyInstallerService } from './defaults/start.js'
import { differences } from './differences.js'
import { roleIndexService } from './live-role-index.js'
import { authorizationNames } from './names.js'
import { nodeAccessService } from './node/node-access-service.js'
import { AuthorizationOptions } from './options.js'
import { roleBindings } from './role-bindings/resource.js'
import { roles } from './roles/resource.js'
import { rulesReviews } from './rules-reviews/resource.js'
import { chainOf, checkConfigurationOptions } from './structured/chain.js'
import { checkWebhookConfig, checkWebhookOptions, webhookService } from './webhook/connect-webhook.js'

export { conformance } from './conformance.js'

export const authorization = definePlugin({
  name: 'authorization',
  differences,
  options: AuthorizationOptions,
  gates: {
    AuthorizeWithSelectors: { stage: 'stable', description: 'Access reviews may have selectors.' },
    AuthorizeNodeWithSelectors: {
      stage: 'stable',
      description: 'Node agents may read only their own Node and Pods, and must select them when they list.',
    },
    KubeletServiceAccountTokenForCredentialProviders: {
      stage: 'beta',
      description: 'Node agents may read the service accounts of their Pods.',
    },
  },
  register(to, { vendor, options, isEnabled }) {
    checkWebhookOptions(options)
    checkConfigurationOptions(options)
    const names = authorizationNames(vendor)
    to.resource(roles(names), clusterRoles(names), roleBindings(names), clusterRoleBindings(names))
    const hasSelectors = isEnabled('AuthorizeWithSelectors')
    to.resource(...accessReviews(names, { hasSelectors }), rulesReviews(names))
    for (const { authorizer, service, start } of chainOf(options, vendor, names)) {
      to.authorizer(authorizer)
      if (service) to.service(service)
      if (start) to.onStart(start)
    }
    to.service(roleIndexService(names), policyInstallerService(vendor, names))
    to.service(
      nodeAccessService(vendor, names, {
        // The specification lets agents read all Nodes and Pods.
        selects: isEnabled('AuthorizeNodeWithSelectors') && !vendor.level.isAdditive,
        readsAccounts: isEnabled('KubeletServiceAccountTokenForCredentialProviders'),
      }),
    )
    if (options.authorizationMode.includes('Webhook')) {
      to.service(webhookService(options, vendor, names))
      to.onStart(checkWebhookConfig)
    }
    to.onStart(installDefaults)
    to.controller(clusterRoleAggregation(names))
    to.healthCheck(defaultsReconciled)
  },
})
