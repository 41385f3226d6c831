import { ApiError, type ApiObject } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'

interface Pod extends ApiObject {
  spec: { restartPolicy?: string; containers: { name: string; image: string }[] }
  status?: { phase?: string }
}

/**
 * A minimal node agent: every Pod runs and is ready immediately; one that may finish has succeeded.
 * Call the returned function to stop it.
 */
export function runPods(client: Client): () => Promise<void> {
  const stop = new AbortController()
  const pods = client.resource<Pod>({ group: '', version: 'v1', resource: 'pods' })
  const start = async ({ metadata, spec, status }: Pod) => {
    if (status?.phase !== 'Pending' || metadata.deletionTimestamp) return
    const hasEnd = spec.restartPolicy !== 'Always'
    const now = new Date().toISOString()
    const state = hasEnd ? { terminated: { exitCode: 0, finishedAt: now } } : { running: { startedAt: now } }
    const containerStatuses = spec.containers.map(({ name, image }) => ({
      name,
      image,
      imageID: image,
      ready: !hasEnd,
      restartCount: 0,
      state,
    }))
    const ready = { type: 'Ready', status: hasEnd ? 'False' : 'True', lastTransitionTime: now }
    const patch = { status: { phase: hasEnd ? 'Succeeded' : 'Running', conditions: [ready], containerStatuses } }
    await pods
      .in(metadata.namespace ?? '')
      .patch(metadata.name ?? '', patch, { subresource: 'status' })
      .catch(error => {
        // It was deleted meanwhile.
        if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error
      })
  }
  const done = (async () => {
    for await (const event of pods.watchWithResume({ signal: stop.signal })) {
      if (event.type === 'DELETED') continue
      for (const pod of event.type === 'RELISTED' ? event.items : [event.object]) await start(pod)
    }
  })()
  // Errors are reported by the stop function instead of crashing the process.
  done.catch(() => {})
  return () => {
    stop.abort()
    return done
  }
}
