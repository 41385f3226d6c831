import type { ApiObject, Clock, ObjectMeta } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import type { FlowControlNames } from '../names.js'
import { readAutoUpdate } from './auto-update.js'

/** As long as Kubernetes may take to notice such an object: it looks once a minute. */
const removedAfterMs = 60_000

/** Deletes an object that the server maintained and that is not built in any more, as after an upgrade. */
export async function removeFormer(
  { client, clock }: { readonly client: Client; readonly clock: Clock },
  { autoUpdateAnnotation }: FlowControlNames,
  ref: FlowControlNames['flowSchemas' | 'priorityLevels'],
  { metadata }: { readonly metadata?: ObjectMeta },
): Promise<{ requeueAfterMs: number } | void> {
  if (!readAutoUpdate(metadata, autoUpdateAnnotation)) return
  const { name = '', uid, resourceVersion, creationTimestamp = '' } = metadata ?? {}
  const restMs = Date.parse(creationTimestamp) + removedAfterMs - clock.now()
  if (restMs > 0) return { requeueAfterMs: restMs }
  const preconditions = { uid, resourceVersion }
  await unlessLost(client.resource<ApiObject>(ref).delete(name, { preconditions }), 'NotFound', 'Conflict')
}
