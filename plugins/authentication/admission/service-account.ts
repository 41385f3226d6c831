import { type Clock, defineAdmission, type Rejection, reject, type StoreReader, services } from 'orch/sdk'
import type { Pod, Volume } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import { randomSuffix } from '../random-suffix.js'
import type { StoredServiceAccount } from '../service-accounts/schema.js'
import { volumeTokenSeconds } from '../token-requests/token-subresource.js'
import { debuggingSecretsOf, hasDriverSecret, limitedSecretsOf, type SecretUse, secretsOf } from './pod-secrets.js'

const fileMode = 0o644

/**
 * Mounts the token of the account, the CA of the server and the namespace into every container, unless it mounts
 * something there itself.
 */
function mountToken({ spec }: Pod, { tokenMountPath, tokenVolumePrefix, rootCaConfigMap }: AuthenticationNames): void {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(tokenVolumePrefix))
  const name = existing?.name ?? tokenVolumePrefix + randomSuffix()
  const lacking = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === tokenMountPath),
  )
  for (const container of lacking)
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: tokenMountPath }]
  if (!existing && lacking.length > 0) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name, rootCaConfigMap)]
}

const tokenVolume = (name: string, rootCaConfigMap: string): Volume => ({
  name,
  projected: {
    defaultMode: fileMode,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: volumeTokenSeconds } },
      { configMap: { name: rootCaConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
})

const defaultAccount = 'default'
/** The default account is created shortly after its namespace. */
const defaultAttempts = 10
const defaultDelayMs = 100

/**
 * Pods run as an account of their namespace: it must exist, provides its token and pull secrets, and may limit their
 * Secrets.
 */
export const serviceAccountAdmission = (names: AuthenticationNames) =>
  defineAdmission<Pod>()({
    name: 'ServiceAccount',
    stage: 'defaults',
    after: ['LimitRanger'],
    phase: 'both',
    sideEffects: 'none',
    matches: [
      { group: '', resource: 'pods', operations: ['create'] },
      { group: '', resource: 'pods', subresource: 'ephemeralcontainers', operations: ['update'] },
    ],
    needs: { reader: services.reader, clock: services.clock },
    async review({ object: pod, namespace, subresource }, { reader, clock }, phase) {
      // The body of this subresource need not be a whole Pod: it is validated once it is complete.
      const isAddition = subresource !== ''
      if (phase === 'mutate' && isAddition) return undefined
      if (!isAddition && pod.metadata?.annotations?.[names.mirrorPod] !== undefined) return checkMirrorPod(pod)
      const { spec } = pod
      if (phase === 'mutate') {
        spec.serviceAccountName ||= spec.serviceAccount || defaultAccount
        spec.serviceAccount = spec.serviceAccountName
      }
      const accountName = spec.serviceAccountName ?? ''
      if (accountName === '') return reject(`no service account specified for pod ${namespace}/${pod.metadata?.name}`)
      const account = await findAccount(reader, clock, names, namespace, accountName)
      if (!account)
        return reject(
          `error looking up service account ${namespace}/${accountName}: serviceaccount "${accountName}" not found`,
        )
      if (phase === 'mutate') applyAccount(pod, account, names)
      if (!isTrue(account.metadata.annotations?.[names.enforceMountableSecrets])) return undefined
      // The rest of the Pod was checked when it was created.
      if (isAddition) return checkMounted(debuggingSecretsOf(pod), account)
      return checkMounted(limitedSecretsOf(pod), account) ?? checkPulled(pod, account)
    },
  })

function applyAccount(pod: Pod, account: StoredServiceAccount, names: AuthenticationNames): void {
  if (pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(pod, names)
  if (!pod.spec.imagePullSecrets?.length && account.imagePullSecrets?.length)
    pod.spec.imagePullSecrets = account.imagePullSecrets.map(({ name = '' }) => ({ name }))
}

/** The mirror of a static Pod must not use objects of the API. */
function checkMirrorPod(pod: Pod): Rejection | undefined {
  if (pod.spec.serviceAccountName) return reject('a mirror pod may not reference service accounts')
  if (secretsOf(pod).length > 0 || hasDriverSecret(pod) || pod.spec.imagePullSecrets?.length)
    return reject('a mirror pod may not reference secrets')
  const sources = (pod.spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? [])
  return sources.some(source => source.serviceAccountToken)
    ? reject('a mirror pod may not use ServiceAccountToken volume projections')
    : undefined
}

/** An account may restrict its Pods to the Secrets that it lists. */
function checkMounted(uses: readonly SecretUse[], { metadata, secrets = [] }: StoredServiceAccount) {
  const mountable = new Set(secrets.map(({ name }) => name))
  const mounted = uses.find(({ name }) => !mountable.has(name))
  if (!mounted) return undefined
  return reject(
    `${mounted.where} with secret "${mounted.name}" is not allowed because service account ${metadata.name} does not reference that secret`,
  )
}

/** The same for the Secrets that its images are pulled with. */
function checkPulled(pod: Pod, { metadata, imagePullSecrets = [] }: StoredServiceAccount) {
  const pullable = new Set(imagePullSecrets.map(({ name }) => name))
  const pulled = (pod.spec.imagePullSecrets ?? []).findIndex(({ name }) => !pullable.has(name))
  return pulled < 0
    ? undefined
    : reject(
        `imagePullSecrets[${pulled}].name="${pod.spec.imagePullSecrets?.[pulled]?.name}" is not allowed because service account ${metadata.name} does not reference that imagePullSecret`,
      )
}

async function findAccount(
  reader: StoreReader,
  clock: Clock,
  { accounts }: AuthenticationNames,
  namespace: string,
  name: string,
): Promise<StoredServiceAccount | undefined> {
  const attempts = name === defaultAccount ? defaultAttempts : 1
  for (let attempt = 1; ; attempt++) {
    const found = await reader.get<StoredServiceAccount>(accounts, namespace, name)
    if (found || attempt >= attempts) return found
    await new Promise<void>(resolve => clock.after(defaultDelayMs, resolve))
  }
}

/** The spellings of true in an annotation. */
const isTrue = (text: string | undefined) => ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '')
