import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Measured, peerTable } from './peer-table.js'
import type { Metrics } from './scenario.js'

const table = suite('bench: the table beside the peer')

table('names what is behind the peer: less of a rate, more of everything else, by more than 5 %', () => {
  const runs = (...rates: number[]) =>
    rates.map(rate => ({ 'rate ops/s': rate, 'p99 ms': 1000 / rate, 'client cpu %': 3 }))
  const measured: Measured = new Map([
    ['get', new Map<string, Metrics[]>(Object.entries({ peer: runs(100, 100), LMDB: runs(300, 200), etcd: runs(90) }))],
    [
      'start',
      new Map<string, Metrics[]>(Object.entries({ peer: [{ 'ready ms': 5000 }], LMDB: [{ 'ready ms': 5100 }] })),
    ],
  ])
  assert.equal(peerTable(measured, ['peer', 'LMDB', 'etcd']), [
    '|  | peer | LMDB | etcd | behind the peer |',
    '| --- | --- | --- | --- | --- |',
    '| get: rate ops/s | 100 | 250 | 90.0 | etcd |',
    '| get: p99 ms | 10.0 | 4.17 | 11.1 | etcd |',
    '| start: ready ms | 5000 | 5100 |  |  |',
  ])
})

table.run()
