import type { Vendor } from 'orch/sdk'
import { recordEvents } from 'orch/sdk/controllers'

/** Every name of this plugin that carries the vendor's. */
export const authenticationNames = (vendor: Vendor) => {
  const { domain, groupDomain, objectPrefix, apiService, namespaces } = vendor.profile
  const core = (resource: string) => ({ group: '', version: 'v1', resource })
  return {
    group: vendor.group('authentication'),
    /** How a file says that it is the configuration of this plugin. */
    configurationKinds: ['v1', 'v1beta1', 'v1alpha1'].map(
      version => `${vendor.group('apiserver.config')}/${version} AuthenticationConfiguration`,
    ),
    /** Only this server says something about users under keys in these domains and below. */
    reservedDomains: [...new Set([domain, groupDomain])],
    /** The rule of loops that tell what happened. */
    recordEvents: recordEvents(vendor),
    accounts: core('serviceaccounts'),
    secrets: core('secrets'),
    configMaps: core('configmaps'),
    pods: core('pods'),
    namespaces: core('namespaces'),
    systemNamespace: namespaces.system,
    publicNamespace: namespaces.public,

    /** Type of a Secret that holds the token of a service account. */
    tokenSecretType: vendor.qualify('service-account-token'),
    /** Annotations that say whose token a Secret holds. */
    accountName: vendor.qualify('service-account.name'),
    accountUid: vendor.qualify('service-account.uid'),
    /** Annotation of an account: its Pods may use only the Secrets it lists. */
    enforceMountableSecrets: vendor.qualify('enforce-mountable-secrets'),
    /** Marks the copy of a Pod that a node runs on its own account. */
    mirrorPod: vendor.qualify('config.mirror'),
    /** Where Pods find their token. */
    tokenMountPath: `/var/run/secrets/${domain}/serviceaccount`,
    tokenVolumePrefix: `${objectPrefix}-api-access-`,
    rootCaConfigMap: `${objectPrefix}-root-ca.crt`,
    description: vendor.qualify('description'),

    defaultIssuer: `https://${apiService}.default.svc`,
    /** Issuer of the tokens in Secrets, and what begins the names of their claims. */
    legacyIssuer: `${vendor.name}/serviceaccount`,
    legacyClaim: (name: string) => vendor.qualify(`serviceaccount/${name}`),
    /** The claim of a bound token that holds what it is bound to. */
    boundClaim: domain,
    podNameExtra: vendor.qualify('pod-name', 'authentication'),
    podUidExtra: vendor.qualify('pod-uid', 'authentication'),
    /** What the audit log says of tokens that should be in use no longer. */
    legacyTokenNote: `${vendor.group('authentication')}/legacy-token`,
    staleTokenNote: `${vendor.group('authentication')}/stale-token`,

    bootstrapTokenType: vendor.qualify('token', 'bootstrap'),
  }
}
export type AuthenticationNames = ReturnType<typeof authenticationNames>
