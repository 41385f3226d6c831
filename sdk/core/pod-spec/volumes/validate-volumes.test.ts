import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ServedLevel, type VersionName } from '../../../plugin/level.js'
import type { Volume } from '../../volume.js'
import { problems, where } from './testing/volume-problems.js'
import { validateVolumes } from './validate-volumes.js'

const validation = suite('validation of volumes')
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const iqn = 'iqn.2001-04.com.example:storage.disk1'
const iscsi = { targetPortal: '10.0.0.1:3260', iqn, lun: 1 }

/** One source each, with its expected errors; fields are relative to the source. */
const sources: Record<string, [source: Record<string, unknown>, ...wrong: string[]]> = {
  'an empty directory': [{ emptyDir: {} }],
  'one in memory with a limit': [{ emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
  'one of huge pages': [{ emptyDir: { medium: 'HugePages-2Mi' } }, '.medium NotSupported'],
  'an unknown medium': [{ emptyDir: { medium: 'Paper' } }, '.medium NotSupported'],
  'a negative size': [{ emptyDir: { sizeLimit: '-1' } }, '.sizeLimit Forbidden'],
  'a path of the node': [{ hostPath: { path: '/x', type: 'Directory' } }],
  'no path of the node': [{ hostPath: { path: '' } }, '.path Required'],
  'a path with ..': [{ hostPath: { path: '/a/../b' } }, '.path Invalid'],
  'an unknown type of path': [{ hostPath: { path: '/x', type: 'Bogus' } }, '.type NotSupported'],
  'a repository': [{ gitRepo: { repository: 'r', directory: '.' } }],
  'a repository in a folder whose name begins with ..': [{ gitRepo: { repository: 'r', directory: '..x' } }],
  'a repository outside of the volume': [
    { gitRepo: { repository: '', directory: '../x' } },
    '.repository Required',
    '.directory Invalid',
  ],
  'a block store without a volume': [
    { awsElasticBlockStore: { volumeID: '', partition: -1 } },
    '.volumeID Required',
    '.partition Invalid',
  ],
  'a secret': [{ secret: { secretName: 's', defaultMode: 0o400, items: [{ key: 'k', path: 'a/..b' }] } }],
  'a secret without a name': [{ secret: {} }, '.secretName Required'],
  'modes out of range': [
    { secret: { secretName: 's', defaultMode: 512, items: [{ key: 'k', path: 'p', mode: -1 }] } },
    '.defaultMode Invalid',
    '.items[0].mode Invalid',
  ],
  'keys without key or path': [
    { configMap: { name: 'c', items: [{ key: '', path: '' }] } },
    '.items[0].key Required',
    '.items[0].path Required',
  ],
  'an absolute path of a key': [
    { configMap: { name: 'c', items: [{ key: 'k', path: '/p' }] } },
    '.items[0].path Invalid',
  ],
  'a reserved path of a key': [
    { configMap: { name: 'c', items: [{ key: 'k', path: '..p' }] } },
    '.items[0].path Invalid',
  ],
  'a config map without a name': [{ configMap: {} }, '.name Required'],
  'an export': [{ nfs: { server: 's', path: '/p' } }],
  'an NFS export without server and path': [
    { nfs: { server: '', path: '' } },
    '.server Required',
    '.path Required',
    '.path Invalid',
  ],
  'a relative export': [{ nfs: { server: 's', path: 'p' } }, '.path Invalid'],
  'an iSCSI disk': [{ iscsi }],
  'an iSCSI disk without a target': [
    { iscsi: { targetPortal: '', iqn: '', lun: 256 } },
    '.targetPortal Required',
    '.iqn Required',
    '.lun Invalid',
  ],
  'a malformed iSCSI name': [{ iscsi: { ...iscsi, iqn: 'disk' } }, '.iqn Invalid'],
  'CHAP without a secret': [{ iscsi: { ...iscsi, chapAuthSession: true } }, '.secretRef Required'],
  'a malformed initiator': [{ iscsi: { ...iscsi, initiatorName: 'me' } }, '.initiatorname Invalid'],
  'gluster without endpoints': [{ glusterfs: { endpoints: '', path: '' } }, '.endpoints Required', '.path Required'],
  'a dataset by name and by id': [{ flocker: { datasetName: 'a', datasetUUID: 'b' } }, ' Invalid'],
  'no dataset': [{ flocker: {} }, ' Required'],
  'a dataset in a folder': [{ flocker: { datasetName: 'a/b' } }, '.datasetName Invalid'],
  'a claim': [{ persistentVolumeClaim: { claimName: 'c' } }],
  'a claim without a name': [{ persistentVolumeClaim: { claimName: '' } }, '.claimName Required'],
  'a RADOS device without monitors': [{ rbd: { monitors: null, image: '' } }, '.monitors Required', '.image Required'],
  'an OpenStack volume without an id': [
    { cinder: { volumeID: '', secretRef: {} } },
    '.volumeID Required',
    '.secretRef.name Required',
  ],
  'a Ceph file system without monitors': [{ cephfs: { monitors: [] } }, '.monitors Required'],
  'a Quobyte volume': [{ quobyte: { registry: 'a:1,b:2', volume: 'v' } }],
  'a Quobyte registry without ports': [
    { quobyte: { registry: 'a', volume: '' } },
    '.registry Invalid',
    '.volume Required',
  ],
  'fibre channel by name': [{ fc: { targetWWNs: ['a'], lun: 1 } }],
  'fibre channel by id': [{ fc: { wwids: ['a'] } }],
  'fibre channel by neither': [{ fc: {} }, '.targetWWNs Required'],
  'fibre channel by both': [{ fc: { targetWWNs: ['a'], wwids: ['b'], lun: 1 } }, '.targetWWNs Invalid'],
  'fibre channel by name without a unit': [{ fc: { targetWWNs: ['a'] } }, '.lun Required'],
  'a flex volume': [{ flexVolume: { driver: 'd', options: { 'other.test/x': 'y' } } }],
  'options in a reserved domain': [
    { flexVolume: { driver: '', options: { 'sub.acme.test/x': 'y' } } },
    '.driver Required',
    '.options[sub.acme.test/x] Invalid',
  ],
  'a file share without a name': [
    { azureFile: { secretName: '', shareName: '' } },
    '.secretName Required',
    '.shareName Required',
  ],
  'a StorageOS volume without a name': [
    { storageos: { volumeNamespace: 'A' } },
    '.volumeName Required',
    '.volumeNamespace Invalid',
  ],
  'a vSphere disk without a path': [{ vsphereVolume: { volumePath: '' } }, '.volumePath Required'],
  'a Photon disk without an id': [{ photonPersistentDisk: { pdID: '' } }, '.pdID Required'],
  'a Portworx volume without an id': [{ portworxVolume: { volumeID: '' } }, '.volumeID Required'],
  'an Azure disk': [{ azureDisk: { diskName: 'd', diskURI: 'https://a', kind: 'Shared', cachingMode: 'None' } }],
  'an Azure disk of another kind': [
    { azureDisk: { diskName: '', diskURI: 'x', kind: 'Managed', cachingMode: 'Some' } },
    '.diskName Required',
    '.cachingMode NotSupported',
    '.diskURI NotSupported',
  ],
  'a ScaleIO volume without anything': [
    { scaleIO: { gateway: '', system: '' } },
    '.gateway Required',
    '.system Required',
    '.volumeName Required',
  ],
  'a CSI volume': [{ csi: { driver: 'Driver.example.com' } }],
  'a CSI volume without a driver': [
    { csi: { driver: '', nodePublishSecretRef: {} } },
    '.driver Required',
    '.driver Invalid',
    '.nodePublishSecretRef .name Required',
  ],
  'a CSI volume with an invalid Secret name': [
    { csi: { driver: 'd', nodePublishSecretRef: { name: 'A_b' } } },
    '.name Invalid',
  ],
  'an ephemeral claim': [{ ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: 'b' } }, spec: claim } } }],
  'an ephemeral claim without a template': [{ ephemeral: {} }, '.volumeClaimTemplate Required'],
  'an ephemeral claim with a name': [
    { ephemeral: { volumeClaimTemplate: { metadata: { name: 'n', uid: 'u' }, spec: claim } } },
    ...['name', 'uID'].map(name => `.volumeClaimTemplate.metadata.${name} Forbidden`),
  ],
  'an ephemeral claim with an empty spec': [
    { ephemeral: { volumeClaimTemplate: { spec: {} } } },
    '.volumeClaimTemplate.spec.accessModes Required',
    '.volumeClaimTemplate.spec.resources[storage] Required',
  ],
}
for (const [title, [source, ...wrong]] of Object.entries(sources))
  validation(`${wrong.length === 0 ? 'accepts' : 'refuses'} ${title}`, () => {
    const [name] = Object.keys(source)
    assert.equal(
      problems([{ name: 'v', ...source }]),
      wrong.map(text => `volumes[0].${name}${text}`),
    )
  })

const whole: Record<string, [volumes: unknown[], ...wrong: string[]]> = {
  'refuses a volume without a source': [[{ name: 'v' }], 'volumes[0] Required'],
  'refuses every source after the first': [
    [{ name: 'v', emptyDir: {}, hostPath: { path: '/' }, csi: { driver: 'd' } }],
    'volumes[0].hostPath Forbidden',
    'volumes[0].csi Forbidden',
  ],
  'names some sources as in Kubernetes': [
    [
      { name: 'a', gcePersistentDisk: { pdName: '', partition: 256 } },
      { name: 'b', emptyDir: {}, cephfs: { monitors: [] }, downwardAPI: {}, gcePersistentDisk: { pdName: '' } },
    ],
    'volumes[0].persistentDisk.pdName Required',
    'volumes[0].persistentDisk.partition Invalid',
    'volumes[1].gcePersistentDisk Forbidden',
    'volumes[1].cephFS Forbidden',
    'volumes[1].downwarAPI Forbidden',
  ],
  'refuses a long name for a second source that is an iSCSI disk, but not for a claim that is not made': [
    [
      {
        name: 'v'.repeat(63),
        hostPath: { path: '/' },
        iscsi: { ...iscsi, initiatorName: iqn },
        ephemeral: { volumeClaimTemplate: { spec: claim } },
      },
    ],
    'volumes[0].iscsi Forbidden',
    'volumes[0].ephemeral Forbidden',
    'volumes[0].name Invalid',
  ],
  'refuses a reference to the claim of an ephemeral volume': [
    [
      { name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } },
      { name: 'w', persistentVolumeClaim: { claimName: 'pod-v' } },
    ],
    'volumes[1].persistentVolumeClaim.claimName Invalid',
  ],
  'refuses a volume without a name': [[{ name: '', emptyDir: {} }], 'volumes[0].name Required'],
  'refuses a name that is not a DNS label': [[{ name: 'a.b', emptyDir: {} }], 'volumes[0].name Invalid'],
  'refuses a name twice': [
    [
      { name: 'v', emptyDir: {} },
      { name: 'v', emptyDir: {} },
    ],
    'volumes[1].name Duplicate',
  ],
  'refuses a name that makes the name of a claim too long': [
    [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }],
    'volumes[0].name Invalid',
  ],
}
for (const [title, [volumes, ...wrong]] of Object.entries(whole))
  validation(title, () => {
    const podName = /too long|not made/.test(title) ? 'p'.repeat(253) : 'pod'
    const { errors } = validateVolumes(volumes as Volume[], 'volumes', { ...where, podName })
    assert.equal(
      errors.map(error => `${error.field} ${error.type.slice(10)}`),
      wrong,
    )
  })

const csiErrors: Record<VersionName, string[]> = {
  '1.23': ['driver Required', 'driver Invalid', 'nodePublishSecretRef .name Required'],
  '1.24': ['driver Required', 'driver Invalid', 'nodePublishSecretRef.name Required'],
  '1.35': ['driver Required', 'nodePublishSecretRef.name Required'],
}
for (const [version, wrong] of Object.entries(csiErrors))
  validation(`reports what a volume of a driver lacks as Kubernetes ${version} does`, () => {
    const level = new ServedLevel(version as VersionName)
    const csi = { driver: '', nodePublishSecretRef: {} }
    assert.equal(
      validateVolumes([{ name: 'v', csi }], 'v', { ...where, level }).errors.map(
        ({ field, type }) => `${field} ${type.slice(10)}`,
      ),
      wrong.map(text => `v[0].csi.${text}`),
    )
  })

validation('lets only valid volumes be mounted', () => {
  const { known } = validateVolumes([{ name: 'a', emptyDir: {} }, { name: 'b' }], 'volumes', where)
  assert.equal([...known.keys()], ['a'])
})

validation.run()
