import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { title } from './describe-object.js'

const titles = suite('titles of fields')

for (const [key, words] of Object.entries({
  clusterIPs: 'Cluster IPs',
  clusterIP: 'Cluster IP',
  podIPs: 'Pod IPs',
  podCIDRs: 'Pod CIDRs',
  targetWWNs: 'Target WWNs',
  nonResourceURLs: 'Non Resource URLs',
  hostIPC: 'Host IPC',
  hostPID: 'Host PID',
  ipFamilyPolicy: 'IP Family Policy',
  externalTrafficPolicy: 'External Traffic Policy',
  creationTimestamp: 'Creation Timestamp',
  uid: 'UID',
  apiGroup: 'API Group',
  gcePersistentDisk: 'Gce Persistent Disk',
  fsType: 'Fs Type',
  runAsUserName: 'Run As User Name',
  volumeID: 'Volume ID',
  readOnlyRootFilesystem: 'Read Only Root Filesystem',
  serverAddressByClientCIDRs: 'Server Address By Client CIDRs',
  x509: 'X509',
  'a.b/c': 'a.b/c',
}))
  titles(`${key} reads ${words}`, () => assert.is(title(key), words))

titles.run()
