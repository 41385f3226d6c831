import { ServedLevel } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { columns, rowConditions } from './columns.js'

const now = Date.parse('2030-01-01T01:00:00Z')
const today = columns(new ServedLevel('1.36'))
const table = suite('pods in a table')
const base = { image: 'i', imageID: '', restartCount: 0 }
const one = { containers: [{ name: 'c' }] }

const cases: Record<string, { pod: Omit<Pod, 'spec'> & { spec?: Pod['spec'] }; cells: unknown[] }> = {
  wait: { pod: { status: { phase: 'Pending' } }, cells: ['0/1', 'Pending', '0'] },
  run: {
    pod: {
      status: { phase: 'Running', containerStatuses: [{ ...base, name: 'c', ready: true, state: { running: {} } }] },
    },
    cells: ['1/1', 'Running', '0'],
  },
  'crash again and again': {
    pod: {
      status: {
        phase: 'Running',
        containerStatuses: [
          {
            ...base,
            name: 'c',
            ready: false,
            restartCount: 3,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2030-01-01T00:55:00Z' } },
          },
        ],
      },
    },
    cells: ['0/1', 'CrashLoopBackOff', '3 (5m ago)'],
  },
  'end with a code': {
    pod: {
      status: {
        phase: 'Failed',
        containerStatuses: [{ ...base, name: 'c', ready: false, state: { terminated: { exitCode: 3 } } }],
      },
    },
    cells: ['0/1', 'ExitCode:3', '0'],
  },
  initialize: {
    pod: {
      spec: { ...one, initContainers: [{ name: 'i' }, { name: 'j' }] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { ...base, name: 'i', ready: true, state: { terminated: { exitCode: 0 } } },
          { ...base, name: 'j', ready: false, state: { running: {} } },
        ],
      },
    },
    cells: ['0/1', 'Init:1/2', '0'],
  },
  'have restarted init containers': {
    pod: {
      spec: { ...one, initContainers: [{ name: 'i' }, { name: 'j' }] },
      status: {
        phase: 'Running',
        initContainerStatuses: [
          {
            ...base,
            name: 'i',
            ready: true,
            restartCount: 2,
            state: { terminated: { exitCode: 0 } },
            lastState: { terminated: { exitCode: 1, finishedAt: '2030-01-01T00:55:00Z' } },
          },
        ],
        containerStatuses: [{ ...base, name: 'c', ready: true, restartCount: 1, state: { running: {} } }],
      },
    },
    cells: ['1/1', 'Running', '1'],
  },
  'do not count restarts of later init containers': {
    pod: {
      spec: { ...one, initContainers: [{ name: 'i' }, { name: 'j' }] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { ...base, name: 'i', ready: false, restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } },
          { ...base, name: 'j', ready: false, restartCount: 5, state: { waiting: { reason: 'PodInitializing' } } },
        ],
      },
    },
    cells: ['0/1', 'Init:CrashLoopBackOff', '1'],
  },
  'wait for a gate': {
    pod: {
      status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] },
    },
    cells: ['0/1', 'SchedulingGated', '0'],
  },
  'run with a sidecar': {
    pod: {
      spec: { ...one, initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'j' }] },
      status: {
        phase: 'Running',
        initContainerStatuses: [
          { ...base, name: 's', ready: true, restartCount: 2, started: true, state: { running: {} } },
          { ...base, name: 'j', ready: true, restartCount: 4, state: { terminated: { exitCode: 0 } } },
        ],
        containerStatuses: [{ ...base, name: 'c', ready: true, state: { running: {} } }],
      },
    },
    cells: ['2/2', 'Running', '2'],
  },
  'initialize behind a sidecar': {
    pod: {
      spec: { ...one, initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'j' }] },
      status: {
        phase: 'Pending',
        initContainerStatuses: [
          { ...base, name: 's', ready: true, started: true, state: { running: {} } },
          { ...base, name: 'j', ready: false, state: { waiting: { reason: 'PodInitializing' } } },
        ],
      },
    },
    cells: ['1/2', 'Init:1/2', '0'],
  },
  'are finished and being deleted': {
    pod: { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' }, status: { phase: 'Succeeded' } },
    cells: ['0/1', 'Succeeded', '0'],
  },
  go: {
    pod: { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' }, status: { phase: 'Running' } },
    cells: ['0/1', 'Terminating', '0'],
  },
  'are lost with their node': {
    pod: { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' }, status: { phase: 'Running', reason: 'NodeLost' } },
    cells: ['0/1', 'Unknown', '0'],
  },
}
for (const [title, { pod, cells }] of Object.entries(cases))
  table(`that ${title}`, () => {
    const row = today.map(column => column.cell({ metadata: {}, spec: one, ...pod }, now))
    assert.equal(row.slice(1, 4), cells)
  })

table('counted every init container before there were sidecars', () => {
  const { pod } = cases['have restarted init containers']!
  const row = (version: '1.27' | '1.28') =>
    columns(new ServedLevel(version)).map(column => column.cell({ metadata: {}, spec: one, ...pod }, now))[3]
  assert.equal([row('1.27'), row('1.28')], ['1 (5m ago)', '1'])
})
table('show where they are', () => {
  const pod: Pod = {
    metadata: {},
    spec: { ...one, nodeName: 'n', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
    status: { podIPs: [{ ip: '10.0.0.9' }], conditions: [{ type: 'a', status: 'True' }] },
  }
  assert.equal(today.map(column => column.cell(pod, now)).slice(5), ['10.0.0.9', 'n', '<none>', '1/2'])
})

table('mark finished Pods as completed', () => {
  const reasons = (phase: string) =>
    rowConditions({ spec: one, status: { phase } } as unknown as Pod).map(({ type, reason }) => `${type} ${reason}`)
  assert.equal(['Pending', 'Running', 'Succeeded', 'Failed'].map(reasons), [
    [],
    [],
    ['Completed Succeeded'],
    ['Completed Failed'],
  ])
})

table.run()
