import type { AdmissionDefinition } from 'orch/sdk'
import type { Contribution } from '../registry/registry.js'

// biome-ignore lint/suspicious/noExplicitAny: controls of different object types stand in one list
export type AnyAdmission = AdmissionDefinition<any, any>

/**
 * The order of the well-known controls, whatever plugin brings them: existence before contents, defaulting before
 * checks that read it, webhooks after everything built in, counting last.
 * A control that is not listed runs before the webhooks; `order: 'first'` and `'last'` put it at either end.
 */
const knownOrder = [
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'SecurityContextDeny',
  'LimitPodHardAntiAffinityTopology',
  'PodPreset',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'PodSecurityPolicy',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'PersistentVolumeLabel',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DenyServiceExternalIPs',
] as const
const lastOrder = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook', 'ResourceQuota', 'AlwaysDeny'] as const

/** Controls in the order they run. */
export type Chain = readonly Contribution<AnyAdmission>[]

/** The final chain: enabled controls in the order they run. */
export function orderChain(
  controls: readonly Contribution<AnyAdmission>[],
  enabled: readonly string[],
  disabled: readonly string[],
): Contribution<AnyAdmission>[] {
  const isOn = ({ definition }: Contribution<AnyAdmission>) =>
    !disabled.includes(definition.name) && (enabled.includes(definition.name) || (definition.enabledByDefault ?? true))
  return controls
    .filter(isOn)
    .map((control, index) => ({ control, rank: rankOf(control.definition), index }))
    .sort((left, right) => left.rank - right.rank || left.index - right.index)
    .map(({ control }) => control)
}

/** Who sees a write before it is validated, and who after, in the order they do. */
export function namesByPhase(chain: Chain): {
  mutating: string[]
  validating: string[]
} {
  const namesWithout = (phase: 'mutate' | 'validate') =>
    chain.filter(({ definition }) => definition.phase !== phase).map(({ definition }) => definition.name)
  return { mutating: namesWithout('validate'), validating: namesWithout('mutate') }
}

function rankOf({ name, order }: AnyAdmission): number {
  const last = (lastOrder as readonly string[]).indexOf(name)
  if (last >= 0) return 3000 + last
  const known = (knownOrder as readonly string[]).indexOf(name)
  if (known >= 0) return 1000 + known
  return order === 'first' ? 0 : order === 'last' ? 4000 : 2000
}
