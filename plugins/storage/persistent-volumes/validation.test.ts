import { kubernetesProfile, profileAtVersion, type StrategyContext, Vendor } from 'orch/sdk'
import type { PersistentVolumeSpec } from 'orch/sdk/core'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storageNames } from '../names.js'
import { acmeNames } from '../testing/acme.js'
import { mainStrategy } from './resource.js'
import type { PersistentVolume } from './schema.js'
import { validateInlineVolumeSpec } from './validate-spec.js'
import { validateVolume, validateVolumeUpdate } from './validation.js'

const validation = suite('validation of persistent volumes')
const plain: PersistentVolumeSpec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] }
const aVolume = (spec: PersistentVolumeSpec, annotations: Record<string, string> = {}): PersistentVolume => ({
  metadata: { name: 'data', annotations },
  spec: { ...plain, ...spec },
})
const hostPath = { path: '/data' }
const csi = { driver: 'csi.example.com', volumeHandle: 'h' }
const nodesWith = (...keys: string[]) => ({
  required: { nodeSelectorTerms: [{ matchExpressions: keys.map(key => ({ key, operator: 'Exists' })) }] },
})
const onNode = { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'n', operator: 'Exists' }] }] } }

const created: Record<string, { spec: PersistentVolumeSpec; annotations?: Record<string, string>; wrong: string[] }> = {
  'accepts one source': { spec: { hostPath }, wrong: [] },
  'asks for a source': { spec: {}, wrong: ['FieldValueRequired spec'] },
  'refuses every source after the first': {
    spec: { csi, hostPath, nfs: { server: '', path: '' } },
    wrong: ['FieldValueForbidden spec.nfs', 'FieldValueForbidden spec.csi'],
  },
  'requires nodes for a local volume': {
    spec: { local: { path: '/l' } },
    wrong: ['FieldValueRequired spec.nodeAffinity'],
  },
  'accepts a local volume with nodes': { spec: { local: { path: '/l' }, nodeAffinity: onNode }, wrong: [] },
  'rejects a policy that would delete the root of a node': {
    spec: { hostPath: { path: '//' }, persistentVolumeReclaimPolicy: 'Recycle' },
    wrong: ['FieldValueForbidden spec.persistentVolumeReclaimPolicy'],
  },
  'asks for storage and nothing else': {
    spec: { hostPath, capacity: { storage: '1Gi', cpu: '1' } },
    wrong: ['FieldValueNotSupported spec.capacity'],
  },
  'requires a positive capacity': {
    spec: { hostPath, capacity: { storage: '0' } },
    wrong: ['FieldValueInvalid spec.capacity[storage]'],
  },
  'checks an empty driver name by both rules': {
    spec: { csi: { driver: '', volumeHandle: '' } },
    wrong: [
      'FieldValueRequired spec.csi.driver',
      'FieldValueInvalid spec.csi.driver',
      'FieldValueRequired spec.csi.volumeHandle',
    ],
  },
  'asks for the namespace of a Secret': {
    spec: { csi: { ...csi, controllerPublishSecretRef: { name: 's' }, nodeStageSecretRef: {} } },
    wrong: [
      'FieldValueRequired spec.csi.controllerPublishSecretRef.namespace',
      'FieldValueRequired spec.csi.nodeStageSecretRef.name',
      'FieldValueRequired spec.csi.nodeStageSecretRef.namespace',
    ],
  },
  'checks the names of Secrets': {
    spec: { csi: { ...csi, nodePublishSecretRef: { name: 'Not.A.Label', namespace: '' } } },
    wrong: ['FieldValueRequired spec.csi.nodePublishSecretRef .namespace', 'FieldValueInvalid spec.csi.name'],
  },
  'names sources as in Kubernetes': {
    spec: { gcePersistentDisk: { pdName: '' }, cephfs: { monitors: [] }, flexVolume: { driver: '' } },
    wrong: [
      'FieldValueRequired spec.persistentDisk.pdName',
      'FieldValueForbidden spec.cephFS',
      'FieldValueRequired spec.flexVolume.driver',
    ],
  },
  'asks a local volume for nodes once': {
    spec: { local: { path: '/l' }, nodeAffinity: {} },
    wrong: ['FieldValueRequired spec.nodeAffinity.required'],
  },
  'refuses options that belong to the node agent': {
    spec: { flexVolume: { driver: 'a/b', options: { 'Acme.test/fsType': 'x', mine: 'y' } } },
    wrong: ['FieldValueInvalid spec.flexVolume.options[Acme.test/fsType]'],
  },
  'limits the length of the initiator name': {
    spec: {
      iscsi: {
        targetPortal: 'p'.repeat(60),
        iqn: 'iqn.2020-01.com.example:a',
        lun: 0,
        initiatorName: 'iqn.2020-01.com.example:b',
      },
    },
    wrong: ['FieldValueInvalid spec.iscsi.targetportal'],
  },
  'reports errors of an iSCSI target in the order of the reference': {
    spec: {
      iscsi: { targetPortal: '', iqn: 'iqn', lun: 256, initiatorName: 'x', chapAuthSession: true, secretRef: {} },
    },
    wrong: [
      'FieldValueRequired spec.iscsi.targetPortal',
      'FieldValueInvalid spec.iscsi.iqn',
      'FieldValueInvalid spec.iscsi.lun',
      'FieldValueRequired spec.iscsi.secretRef.name',
      'FieldValueInvalid spec.iscsi.initiatorname',
    ],
  },
  'requires fields of sources that are optional in Pods': {
    spec: { azureFile: { secretName: 's', shareName: 's', secretNamespace: '' } },
    wrong: ['FieldValueRequired spec.azureFile.secretNamespace'],
  },
  'rejects the old mount options where they have no meaning': {
    spec: { hostPath },
    annotations: { [acmeNames.mountOptionsAnnotation]: 'ro' },
    wrong: ['FieldValueForbidden metadata.annotations.volume.beta.acme.test/mount-options'],
  },
  'rejects the old mount options of a CSI volume': {
    spec: { csi },
    annotations: { [acmeNames.mountOptionsAnnotation]: 'ro' },
    wrong: ['FieldValueForbidden metadata.annotations.volume.beta.acme.test/mount-options'],
  },
  'accepts the old mount options where they are supported': {
    spec: { nfs: { server: 's', path: '/' } },
    annotations: { [acmeNames.mountOptionsAnnotation]: 'ro' },
    wrong: [],
  },
}
for (const [title, { spec, annotations, wrong }] of Object.entries(created))
  validation(title, () => {
    const errors = validateVolume(aVolume(spec, annotations), acmeNames)
    assert.equal(
      errors.map(({ type, field }) => `${type} ${field}`),
      wrong,
    )
  })

const updated: Record<string, { stored: PersistentVolumeSpec; sent: PersistentVolumeSpec; wrong: string[] }> = {
  'lets policy, class and claim change': {
    stored: { hostPath },
    sent: { hostPath, persistentVolumeReclaimPolicy: 'Delete', storageClassName: 'a', claimRef: { name: 'c' } },
    wrong: [],
  },
  'keeps the source': {
    stored: { hostPath },
    sent: { hostPath: { path: '/other' } },
    wrong: ['spec.persistentvolumesource'],
  },
  'lets a volume be given the Secret for its expansion once': {
    stored: { csi },
    sent: { csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'n' } } },
    wrong: [],
  },
  'keeps the Secret for its expansion': {
    stored: { csi: { ...csi, controllerExpandSecretRef: { name: 's', namespace: 'n' } } },
    sent: { csi: { ...csi, controllerExpandSecretRef: { name: 't', namespace: 'n' } } },
    wrong: ['spec.persistentvolumesource'],
  },
  'keeps the volume mode': {
    stored: { hostPath, volumeMode: 'Filesystem' },
    sent: { hostPath, volumeMode: 'Block' },
    wrong: ['volumeMode'],
  },
  'allows setting the nodes once': { stored: { hostPath }, sent: { hostPath, nodeAffinity: onNode }, wrong: [] },
  'keeps the nodes': { stored: { hostPath, nodeAffinity: onNode }, sent: { hostPath }, wrong: ['nodeAffinity'] },
  'lets beta labels of nodes get their final names': {
    stored: { hostPath, nodeAffinity: nodesWith('failure-domain.beta.acme.test/zone', 'beta.acme.test/os', 'other') },
    sent: { hostPath, nodeAffinity: nodesWith('topology.acme.test/zone', 'acme.test/os', 'other') },
    wrong: [],
  },
  'keeps final names of labels': {
    stored: { hostPath, nodeAffinity: nodesWith('topology.acme.test/region') },
    sent: { hostPath, nodeAffinity: nodesWith('failure-domain.beta.acme.test/region') },
    wrong: ['nodeAffinity'],
  },
  'keeps other labels beside one that gets its final name': {
    stored: { hostPath, nodeAffinity: nodesWith('beta.acme.test/arch', 'other') },
    sent: { hostPath, nodeAffinity: nodesWith('acme.test/arch', 'another') },
    wrong: ['nodeAffinity'],
  },
  'lets no label become one with another meaning': {
    stored: { hostPath, nodeAffinity: nodesWith('beta.acme.test/instance-type') },
    sent: { hostPath, nodeAffinity: nodesWith('acme.test/arch') },
    wrong: ['nodeAffinity'],
  },
  'reports what is wrong with the object twice': {
    stored: { hostPath },
    sent: { hostPath, accessModes: [] },
    wrong: ['spec.accessModes', 'spec.accessModes'],
  },
}
for (const [title, { stored, sent, wrong }] of Object.entries(updated))
  validation(title, () => {
    const errors = validateVolumeUpdate(aVolume(sent), aVolume(stored), acmeNames)
    assert.equal(
      errors.map(({ field }) => field),
      wrong,
    )
  })

validation('labels of nodes cannot get their final names before 1.27', () => {
  const beta = { hostPath, nodeAffinity: nodesWith('beta.kubernetes.io/os') }
  const final = { hostPath, nodeAffinity: nodesWith('kubernetes.io/os') }
  const errorsAt = (version: string) =>
    validateVolumeUpdate(
      aVolume(final),
      aVolume(beta),
      storageNames(new Vendor(profileAtVersion(kubernetesProfile, version)!)),
    ).map(({ field, type }) => `${type} ${field}`)
  assert.equal(errorsAt('1.26'), ['FieldValueInvalid nodeAffinity'])
  assert.equal(errorsAt('1.27'), [])
})

validation('a new volume has the status that was sent at 1.24 only', () => {
  const statusAt = (version: string) => {
    const draft = { ...aVolume({ hostPath }), status: { phase: 'Bound', reason: 'Mine' } }
    const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    const features = { recordsTransitions: false, mutableNodeAffinity: false }
    stepsOf(mainStrategy(acmeNames, features)).prepareForCreate(draft, { vendor } as StrategyContext)
    return draft.status
  }
  assert.equal(statusAt('1.23'), {})
  assert.equal(statusAt('1.24'), { phase: 'Bound', reason: 'Mine' })
  assert.equal(statusAt('1.25'), {})
})

validation('an inline volume of an attachment has a CSI source and no fields of objects', () => {
  const good = { accessModes: ['ReadWriteOnce'], csi }
  assert.equal(validateInlineVolumeSpec(good, 's', acmeNames), [])
  const bad: PersistentVolumeSpec = {
    ...plain,
    hostPath,
    claimRef: { name: 'c' },
    nodeAffinity: onNode,
    storageClassName: 'a',
    persistentVolumeReclaimPolicy: 'Delete',
    volumeMode: 'Block',
  }
  assert.equal(
    validateInlineVolumeSpec(bad, 's', acmeNames).map(({ field }) => field),
    [
      's.claimRef',
      's.capacity',
      's.csi',
      's.persistentVolumeReclaimPolicy',
      's.nodeAffinity',
      's.storageClassName',
      's.volumeMode',
    ],
  )
})

validation('does not check the Secret of the staging step in the profile of the reference', () => {
  const volume = aVolume({ csi: { ...csi, nodeStageSecretRef: { name: 's' } } })
  assert.equal(validateVolume(volume, { ...acmeNames, checksStageSecret: false }), [])
  assert.is(validateVolume(volume, acmeNames).length, 1)
})

validation.run()
