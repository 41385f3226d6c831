import { kubernetesProfile, orchProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { type Pod, type PodSpec, podAnnotations } from 'orch/sdk/core'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ephemeralContainersStrategy } from './ephemeral-containers-strategy.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'
import { validatePodUpdate } from './update-validation.js'
import { validateNewPod } from './validation.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })
const context = { vendor } as never
const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' }
const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }
const podWith = (spec: Partial<PodSpec>, more: Partial<Pod> = {}): Pod => ({
  metadata: { name: 'p' },
  spec: { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', ...spec },
  ...more,
})
const problems = (errors: { field: string; type: string }[]) =>
  errors.map(({ field, type }) => `${field} ${type.slice(10)}`)

const updates = suite('updates of pods')
const cases: Record<string, { stored?: Partial<PodSpec>; sent: Partial<PodSpec>; wrong: string[] }> = {
  'may change nothing': { sent: {}, wrong: [] },
  'may change an image': { sent: { containers: [{ ...container, image: 'j' }] }, wrong: [] },
  'may not lose an image': {
    sent: { containers: [{ ...container, image: '' }] },
    wrong: ['spec.containers[0].image Required', 'spec.containers[0].image Required'],
  },
  'may not put blanks around an image': {
    sent: { containers: [{ ...container, image: ' j' }] },
    wrong: ['spec.containers[0].image Invalid', 'spec.containers[0].image Invalid'],
  },
  'may not add a container': {
    sent: { containers: [container, { ...container, name: 'd' }] },
    wrong: ['spec.containers Forbidden'],
  },
  'may not change a command': { sent: { containers: [{ ...container, command: ['x'] }] }, wrong: ['spec Forbidden'] },
  'may not move to another node': { stored: { nodeName: 'a' }, sent: { nodeName: 'b' }, wrong: ['spec Forbidden'] },
  'may set a deadline': { sent: { activeDeadlineSeconds: 10 }, wrong: [] },
  'may shorten a deadline': { stored: { activeDeadlineSeconds: 10 }, sent: { activeDeadlineSeconds: 5 }, wrong: [] },
  'may not lengthen a deadline': {
    stored: { activeDeadlineSeconds: 10 },
    sent: { activeDeadlineSeconds: 11 },
    wrong: ['spec.activeDeadlineSeconds Invalid'],
  },
  'may not drop a deadline': {
    stored: { activeDeadlineSeconds: 10 },
    sent: {},
    wrong: ['spec.activeDeadlineSeconds Invalid'],
  },
  'may add a toleration': { sent: { tolerations: [toleration] }, wrong: [] },
  'may change how long a toleration lasts': {
    stored: { tolerations: [toleration] },
    sent: { tolerations: [{ ...toleration, tolerationSeconds: 7 }] },
    wrong: [],
  },
  'may not drop a toleration': {
    stored: { tolerations: [toleration] },
    sent: {},
    wrong: ['spec.tolerations Forbidden'],
  },
}
for (const [title, { stored = {}, sent, wrong }] of Object.entries(cases))
  updates(title, () => {
    assert.equal(problems(validatePodUpdate(podWith(sent), podWith(stored), vendor)), wrong)
  })

updates('name the QoS class at the versions that did', () => {
  const sent = podWith({ containers: [{ ...container, resources: { requests: { cpu: '1' } } }] })
  const errorsAt = (version: string) =>
    problems(validatePodUpdate(sent, podWith({}), new Vendor(profileAtVersion(kubernetesProfile, version)!)))
  assert.equal(errorsAt('1.30'), ['metadata Invalid', 'spec Forbidden'])
  assert.equal(errorsAt('1.32'), ['spec Forbidden'])
})
updates('of Pods with scheduling gates only narrow the nodes', () => {
  const podOn = (...values: string[]) => {
    const matchExpressions = values.map(value => ({ key: 'zone', operator: 'In' as const, values: [value] }))
    const required = { nodeSelectorTerms: [{ matchExpressions }] }
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required }
    return podWith({ schedulingGates: [{ name: 'a' }], affinity: { nodeAffinity } })
  }
  assert.equal(problems(validatePodUpdate(podOn('a', 'b'), podOn('a'), vendor)), [])
  assert.equal(problems(validatePodUpdate(podOn('b'), podOn('a'), vendor)), [
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0] Invalid',
  ])
})

const annotated = suite('annotations of pods')
const annotations: Record<string, [key: string, value: string, ...wrong: string[]]> = {
  'hold tolerations': [
    'scheduler.alpha.acme.test/tolerations',
    '[{"key":"a","operator":"Exists","tolerationSeconds":null}]',
  ],
  'hold no invalid tolerations': [
    'scheduler.alpha.acme.test/tolerations',
    '[{"key":"a","operator":"Exists","value":"b"},{"operator":"Equal"}]',
    'metadata.annotations.scheduler.alpha.acme.test/tolerations[0].operator Invalid',
    'metadata.annotations.scheduler.alpha.acme.test/tolerations[1].operator Invalid',
  ],
  'hold no tolerations of another form': [
    'scheduler.alpha.acme.test/tolerations',
    '{"key":1}',
    'metadata.annotations Invalid',
  ],
  'hold any deletion cost, also a negative one': ['controller.acme.test/pod-deletion-cost', '-0'],
  'hold no cost with a sign': [
    'controller.acme.test/pod-deletion-cost',
    '+1',
    'metadata.annotations[controller.acme.test/pod-deletion-cost] Invalid',
  ],
}
for (const [title, [key, value, ...wrong]] of Object.entries(annotations))
  annotated(title, () => {
    const metadata = { name: 'p', annotations: { [key]: value } }
    assert.equal(problems(validateNewPod(podWith({}, { metadata }), vendor)), wrong)
  })
annotated('lose the old form of init containers', () => {
  const pod = podWith({}, { metadata: { annotations: { 'pod.beta.acme.test/init-containers': '[]', a: 'b' } } })
  stepsOf(mainStrategy).prepareForCreate(pod, context)
  assert.equal(pod.metadata?.annotations, { a: 'b' })
})

const seccomp = suite('seccomp profiles written twice')
const seccompCases: Record<string, { annotation: string; profile: object; wrong: string[] }> = {
  'agree in the old name of the default': {
    annotation: 'docker/default',
    profile: { type: 'RuntimeDefault' },
    wrong: [],
  },
  'are refused with two types': { annotation: 'unconfined', profile: { type: 'RuntimeDefault' }, wrong: ['type'] },
  'are refused with two files': {
    annotation: 'localhost/a',
    profile: { type: 'Localhost', localhostProfile: 'b' },
    wrong: ['localhostProfile'],
  },
}
for (const [title, { annotation, profile, wrong }] of Object.entries(seccompCases))
  seccomp(title, () => {
    const metadata = { name: 'p', annotations: { 'seccomp.security.alpha.acme.test/pod': annotation } }
    const pod = podWith({ securityContext: { seccompProfile: profile } } as Partial<PodSpec>, { metadata })
    assert.equal(
      problems(validateNewPod(pod, vendor)),
      wrong.map(name => `spec.securityContext.seccompProfile.${name} Forbidden`),
    )
  })
seccomp('report an unknown one in the annotation', () => {
  const metadata = { name: 'p', annotations: { 'seccomp.security.alpha.acme.test/pod': 'x' } }
  assert.equal(problems(validateNewPod(podWith({}, { metadata }), vendor)), [
    'metadata.annotations.seccomp.security.alpha.acme.test/pod Invalid',
  ])
})

const status = suite('updates of the status of pods')
status('refuse conditions without a qualified name', () => {
  const conditions = ['Ready', 'example.com/x', 'a b'].map(type => ({ type, status: 'True' }))
  const sent = podWith({}, { status: { conditions } as Pod['status'] })
  const errorsAt = (version: string) => {
    const at = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    return problems(stepsOf(statusStrategy(at)).validateUpdate(sent, podWith({}), { vendor: at } as never))
  }
  assert.equal(errorsAt('1.32'), ['metadata.conditions[2].Type Invalid'])
  assert.equal(errorsAt('1.33'), ['status.conditions[2].Type Invalid'])
})
status('do not change the spec and the owner references', () => {
  const draft = podWith({ nodeName: 'sent' }, { metadata: { name: 'p', ownerReferences: [] } })
  const owner = { apiVersion: 'v1', kind: 'K', name: 'o', uid: '1' }
  stepsOf(statusStrategy(vendor)).prepareForUpdate(
    draft,
    podWith({ nodeName: 'stored' }, { metadata: { ownerReferences: [owner] } }),
    context,
  )
  assert.is(draft.spec.nodeName, 'stored')
  assert.equal(draft.metadata?.ownerReferences, [owner])
})
status('check restarts and addresses', () => {
  const state = (of: object) => [{ name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state: of }]
  const podIPs = [{ ip: 'x' }]
  const sent = podWith({ restartPolicy: 'Never' }, { status: { containerStatuses: state({ running: {} }), podIPs } })
  const ended = { containerStatuses: state({ terminated: { exitCode: 1 } }) }
  const stored = podWith({ restartPolicy: 'Never' }, { status: ended })
  assert.equal(problems(stepsOf(statusStrategy(vendor)).validateUpdate(sent, stored, context)), [
    'status.containerStatuses[0].state Forbidden',
    'status.podIPs[0] Invalid',
  ])
})
status('keep observed generations since 1.33', () => {
  const keptAt = (version: string) => {
    const at = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    const draft = podWith({}, { status: {} })
    const stored = podWith({}, { status: { observedGeneration: 2 } })
    stepsOf(statusStrategy(at)).prepareForUpdate(draft, stored, { vendor: at } as never)
    return draft.status?.observedGeneration
  }
  assert.equal([keptAt('1.32'), keptAt('1.33')], [undefined, 2])
})

const ephemeral = suite('ephemeral containers')
const debug = { ...container, name: 'debug' }
ephemeral('are added and nothing else changes', () => {
  const draft = podWith(
    { nodeName: 'sent', ephemeralContainers: [debug] },
    { metadata: { labels: { a: 'b' }, resourceVersion: '7' } },
  )
  ephemeralContainersStrategy.prepareForUpdate(draft, podWith({ nodeName: 'stored' }), context)
  assert.is(draft.spec.nodeName, 'stored')
  assert.equal([draft.metadata?.labels, draft.metadata?.resourceVersion], [undefined, '7'])
  assert.equal(draft.spec.ephemeralContainers, [debug])
  assert.equal(problems(ephemeralContainersStrategy.validateUpdate(draft, podWith({}), context)), [])
})
ephemeral('are neither removed nor changed', () => {
  const stored = podWith({ ephemeralContainers: [debug] })
  const check = (sent: Pod) => problems(ephemeralContainersStrategy.validateUpdate(sent, stored, context))
  assert.equal(check(podWith({})), ['spec.ephemeralContainers Forbidden'])
  assert.equal(check(podWith({ ephemeralContainers: [{ ...debug, image: 'j' }] })), [
    'spec.ephemeralContainers Forbidden',
  ])
})
ephemeral('are not added to mirror Pods, from 1.27 on', () => {
  const errorsAt = (version: string) => {
    const at = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    const metadata = { name: 'p', annotations: { [podAnnotations(at).mirror]: 'x' } }
    const stored = podWith({ nodeName: 'n' }, { metadata })
    const sent = podWith({ nodeName: 'n', ephemeralContainers: [{ ...debug, image: '' }] }, { metadata })
    return problems(ephemeralContainersStrategy.validateUpdate(sent, stored, { vendor: at } as never))
  }
  assert.equal(errorsAt('1.26'), ['spec.ephemeralContainers[0].image Required'])
  assert.equal(errorsAt('1.27'), ['[] Forbidden'])
})

const warned = suite('warnings about pods')
warned('are issued on create, not on update', () => {
  const pod = podWith({ nodeSelector: { [vendor.qualify('os', 'beta')]: 'linux' } })
  const told = (stored?: Pod) => stepsOf(mainStrategy).warnings(pod, stored, context).length
  assert.equal([told(), told(pod)], [1, 0])
})

updates.run()
annotated.run()
seccomp.run()
status.run()
ephemeral.run()
warned.run()
