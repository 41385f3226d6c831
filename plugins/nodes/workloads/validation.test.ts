import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PodGroup } from '../pod-groups/schema.js'
import { validateGroup, validateGroupStatus, validateGroupUpdate } from '../pod-groups/validation.js'
import { validateWorkload, validateWorkloadUpdate } from './resource.js'
import { convertFirst, type Workload } from './schema.js'

const workloads = suite('workloads and groups of Pods')
type Templates = Workload['spec']['podGroupTemplates']
const aWorkload = (...podGroupTemplates: Templates): Workload => ({
  metadata: { name: 'w' },
  spec: { podGroupTemplates },
})
const gang = (minCount: number) => ({ schedulingPolicy: { gang: { minCount } } })
const fieldsOf = (errors: readonly { field: string }[]) => errors.map(({ field }) => field)

const cases: Record<string, { templates: Templates; wrong: string[] }> = {
  'a gang': { templates: [{ name: 'a', ...gang(2) }], wrong: [] },
  'no groups': { templates: [], wrong: ['spec.podGroupTemplates'] },
  'two of a name': {
    templates: [
      { name: 'a', ...gang(2) },
      { name: 'a', ...gang(2) },
    ],
    wrong: ['spec.podGroupTemplates[1]'],
  },
  'no policy': {
    templates: [{ name: 'a', schedulingPolicy: {} }],
    wrong: ['spec.podGroupTemplates[0].schedulingPolicy'],
  },
  'an empty gang': {
    templates: [{ name: 'a', ...gang(0) }],
    wrong: ['spec.podGroupTemplates[0].schedulingPolicy.gang.minCount'],
  },
  'a claim of two kinds': {
    templates: [
      {
        name: 'a',
        ...gang(1),
        resourceClaims: [{ name: 'c', resourceClaimName: 'x', resourceClaimTemplateName: 'y' }],
      },
    ],
    wrong: ['spec.podGroupTemplates[0].resourceClaims[0]'],
  },
}
workloads('without a list of templates are rejected rather than causing an exception', () => {
  const sent = { metadata: { name: 'w' }, spec: { podGroupTemplates: null as never } }
  assert.equal(fieldsOf(validateWorkload(sent)), ['spec.podGroupTemplates'])
  assert.equal(convertFirst.fromStorage(sent).spec.podGroups, [])
})
for (const [title, { templates, wrong }] of Object.entries(cases))
  workloads(title, () => {
    assert.equal(fieldsOf(validateWorkload(aWorkload(...templates))), wrong)
  })

workloads('are immutable', () => {
  const errors = validateWorkloadUpdate(aWorkload({ name: 'a', ...gang(3) }), aWorkload({ name: 'a', ...gang(2) }))
  assert.equal(fieldsOf(errors), ['spec.podGroupTemplates'])
})

workloads('are the same after a round trip through the first version', () => {
  const workload = aWorkload({ name: 'a', ...gang(2) })
  assert.equal(convertFirst.toStorage(convertFirst.fromStorage(workload)), workload)
})

workloads('the spec of a group is immutable, and its status refers only to its own claims', () => {
  const group: PodGroup = { metadata: { name: 'g' }, spec: { schedulingPolicy: { basic: {} } }, status: {} }
  assert.equal(validateGroup(group), [])
  assert.equal(fieldsOf(validateGroupUpdate({ ...group, spec: { ...group.spec, priority: 3 } }, group)), [
    'spec.priority',
  ])
  const status = { resourceClaimStatuses: [{ name: 'c' }] }
  assert.equal(fieldsOf(validateGroupStatus({ ...group, status })), ['status.resourceClaimStatuses[0].name'])
})

workloads.run()
