import { storeContract } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { openPlace } from '../../plugins/storage-etcd/testing/etcd-places.js'
import { aesGcm, encryptsEverything } from './encrypts-everything.js'

const contract = suite('an encrypted store on etcd, with its replica, keeps the store contract')

if (isEtcdInstalled()) {
  const cluster = await startCluster({ arguments: ['--unsafe-no-fsync'] })
  contract.after(() => cluster.stop())
  const open = async (place?: string) => encryptsEverything(await openPlace(cluster.servers, { place }), aesGcm)
  // Only the parts that concern the layer; the complete contract of the engine is tested elsewhere.
  const own =
    /attributes|last body|build on each other|own write|what changed|names its keys|pages tell|before its writer/
  for (const { name, run } of storeContract(open, { chainsWrites: true, isShared: true }))
    if (own.test(name)) contract(name, run)
} else {
  console.log('SKIP etcd is not installed')
}

contract.run()
