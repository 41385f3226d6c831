import { suite } from 'uvu'
import { isEtcdInstalled } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { tryFaults } from './try-faults.js'

const faults = suite('two servers on three members of etcd')

if (isEtcdInstalled()) {
  faults('that are killed, paused and disconnected lose nothing and deliver everything in order', () =>
    tryFaults('etcd', { customTypes: true }),
  )
} else {
  console.log('SKIP etcd is not installed')
}

faults.run()
