import type { ApiObject } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { ContainerStatus, Pod } from 'orch/sdk/core'

/** A Pod as the API returns it: with metadata. */
export type StoredPod = ApiObject & Pod

/** The status of a container, of any kind. */
export const statusOf = ({ status }: StoredPod, container: string): ContainerStatus | undefined =>
  [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ].find(({ name }) => name === container)

/** Looks items up by name. A Pod may have thousands of containers, so lists of them are not searched for each. */
export const byName = <T extends { readonly name?: string }>(
  items: readonly T[] = [],
): ReadonlyMap<string | undefined, T> => new Map(items.map(item => [item.name, item]))

/** The placeholders for texts of rules. */
export const valuesOf = (pod: StoredPod, container: string): Record<string, string> => ({
  namespace: pod.metadata.namespace ?? '',
  pod: pod.metadata.name ?? '',
  container,
  node: pod.spec.nodeName ?? '',
  restart: String(statusOf(pod, container)?.restartCount ?? 0),
})

/** Replaces `{name}` by values. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole)

/** Resolves when the container has ended, its Pod is gone or `signal` is aborted. */
export async function untilEnded(
  pods: ResourceClient<StoredPod>,
  { metadata: { name = '', namespace = '', uid } }: StoredPod,
  container: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const isOver = (pod: StoredPod | undefined) =>
    !pod || pod.metadata.uid !== uid || (container !== undefined && !statusOf(pod, container)?.state?.running)
  const fieldSelector = `metadata.name=${name}`
  for await (const event of pods.in(namespace).watchWithResume({ fieldSelector, signal })) {
    const pod = event.type === 'RELISTED' ? event.items[0] : event.object
    if (event.type === 'DELETED' || isOver(pod)) return
  }
}
