import type { Pod, PodLogQuery } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { StoredPod } from './container-facts.js'
import { logOf } from './logs.js'

const logs = suite('the log of a simulated container')
const startedAt = '2024-01-01T00:00:10Z'
const now = Date.parse('2024-01-01T00:01:00Z')
const rules = [{ log: ['hello from {pod}/{container} on {node}', 'start {restart} of {unknown}'] }]
const pod: StoredPod = {
  metadata: { name: 'p', namespace: 'town', uid: 'u' },
  spec: { nodeName: 'node-1', containers: [{ name: 'main' }, { name: 'late' }] } as Pod['spec'],
  status: {
    containerStatuses: [
      {
        name: 'main',
        state: { running: { startedAt } },
        lastState: { terminated: { exitCode: 1, startedAt: '2024-01-01T00:00:05Z' } },
        ready: true,
        restartCount: 1,
        image: '',
        imageID: '',
        containerID: 'simulated://u/main/1',
      },
    ],
  },
}
const read = (query: Partial<PodLogQuery> = {}) => logOf(pod, { container: 'main', ...query }, rules, 'a.test/b', now)

logs('has the lines of the rule, with known placeholders filled in', () => {
  assert.is(read(), 'hello from p/main on node-1\nstart 1 of {unknown}\n')
  assert.is(read({ previous: true }), 'hello from p/main on node-1\nstart 0 of {unknown}\n')
})
const parts: Record<string, [query: Partial<PodLogQuery>, wanted: string]> = {
  'its last lines': [{ tailLines: 1 }, 'start 1 of {unknown}\n'],
  'no lines': [{ tailLines: 0 }, ''],
  'with times': [{ tailLines: 1, timestamps: true }, '2024-01-01T00:00:10.000000000Z start 1 of {unknown}\n'],
  'its first bytes': [{ limitBytes: 5 }, 'hello'],
  'what is not too old': [{ sinceSeconds: 30 }, ''],
  'what was written since': [{ sinceTime: '2024-01-01T00:00:00Z', tailLines: 1 }, 'start 1 of {unknown}\n'],
}
for (const [title, [query, wanted]] of Object.entries(parts))
  logs(`shows ${title}`, () => assert.is(read(query), wanted))

logs('of a container that has not started, or was never restarted, there is none', () => {
  assert.throws(() => read({ container: 'late' }), /container "late" in pod "p" is waiting to start: ContainerCreating/)
  const first = structuredClone(pod)
  for (const status of first.status?.containerStatuses ?? []) status.restartCount = 0
  assert.throws(
    () => logOf(first, { container: 'main', previous: true }, rules, 'a.test/b', now),
    /previous terminated container "main" in pod "p" not found/,
  )
})
logs.run()
