import { storeContract } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { isEtcdInstalled, startCluster } from './testing/etcd-cluster.js'
import { openPlace } from './testing/etcd-places.js'

const contract = suite('etcd without a replica keeps the store contract')

if (isEtcdInstalled()) {
  const cluster = await startCluster({ arguments: ['--unsafe-no-fsync'] })
  contract.after(() => cluster.stop())
  for (const { name, run } of storeContract(place => openPlace(cluster.servers, { place, replica: false }), {
    chainsWrites: true,
    isShared: true,
  }))
    contract(name, run)
} else {
  console.log('SKIP etcd is not installed')
}

contract.run()
