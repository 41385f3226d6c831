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
  const [sent, stored] = [aWorkload({ name: 'a', ...gang(3) }), aWorkload({ name: 'a', ...gang(2) })]
  assert.equal(fieldsOf(validateWorkloadUpdate(sent, stored, 'v1alpha2')), ['spec.podGroupTemplates'])
})

workloads('are checked again on update in the first version only', () => {
  const broken = aWorkload({ name: 'Not A Name', ...gang(2) })
  assert.equal(validateWorkloadUpdate(broken, broken, 'v1alpha2'), [])
  assert.equal(fieldsOf(validateWorkloadUpdate(broken, broken, 'v1alpha1')), ['spec.podGroupTemplates[0].name'])
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
  assert.equal(fieldsOf(validateGroupStatus({ ...group, status }, group)), ['status.resourceClaimStatuses[0].name'])
})

type ClaimStatuses = NonNullable<PodGroup['status']['resourceClaimStatuses']>
const withClaims = (...resourceClaimStatuses: ClaimStatuses): PodGroup => ({
  metadata: { name: 'g' },
  spec: {
    schedulingPolicy: { basic: {} },
    resourceClaims: ['a', 'b'].map(name => ({ name, resourceClaimName: name })),
  },
  status: { resourceClaimStatuses },
})
const claimCases: Record<string, { sent: ClaimStatuses; stored?: ClaimStatuses; wrong: string[] }> = {
  'names of claims': {
    sent: [
      { name: 'a', resourceClaimName: 'x' },
      { name: 'b', resourceClaimName: 'X' },
    ],
    wrong: ['[1].resourceClaimName'],
  },
  'each claim once': { sent: [{ name: 'a' }, { name: 'a' }], wrong: ['[1]'] },
  'four claims at most': { sent: Array(5).fill({ name: 'a' }), wrong: [''] },
  'what was stored': {
    sent: [{ name: 'a', resourceClaimName: 'X' }, { name: 'b' }],
    stored: [{ name: 'a', resourceClaimName: 'X' }],
    wrong: [],
  },
}
for (const [title, { sent, stored = [], wrong }] of Object.entries(claimCases))
  workloads(`the status of a group has ${title}`, () => {
    assert.equal(
      fieldsOf(validateGroupStatus(withClaims(...sent), withClaims(...stored))),
      wrong.map(field => `status.resourceClaimStatuses${field}`),
    )
  })
workloads('a stored group is not checked again', () => {
  const broken: PodGroup = { metadata: { name: 'g' }, spec: { schedulingPolicy: {} }, status: {} }
  assert.is(validateGroup(broken).length, 1)
  assert.equal(validateGroupUpdate(broken, broken), [])
})

workloads.run()
