import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import { ConnectionDistributor } from './connection-distributor.js'

const patientMs = 30_000

class FakeTaker {
  readonly given: { number: number; socket: Socket }[] = []
  give(number: number, socket: Socket): void {
    this.given.push({ number, socket })
  }
}

async function withDistributor(
  use: (distributor: ConnectionDistributor, open: () => Socket) => Promise<void>,
): Promise<void> {
  const distributor = new ConnectionDistributor()
  const port = await distributor.listen({ host: '127.0.0.1', port: 0 })
  const clients: Socket[] = []
  const open = () => {
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {})
    clients.push(client)
    return client
  }
  try {
    await use(distributor, open)
  } finally {
    distributor.close()
    for (const client of clients) client.destroy()
  }
}
const hasGot = (taker: FakeTaker, count: number) =>
  eventually(`${count} connections`, () => taker.given.length === count, patientMs)

const dealing = suite('connections')

dealing('go to the worker that has the fewest', () =>
  withDistributor(async (distributor, open) => {
    const [busy, idle] = [new FakeTaker(), new FakeTaker()]
    distributor.add(busy)
    distributor.add(idle)
    distributor.confirm(busy, 3, [])
    for (let i = 0; i < 5; i++) open()
    await eventually('all', () => busy.given.length + idle.given.length === 5, patientMs)
    assert.equal([busy.given.length, idle.given.length], [1, 4])
    for (const { socket } of [...busy.given, ...idle.given]) socket.destroy()
  }),
)

dealing('are queued while there is no worker', () =>
  withDistributor(async (distributor, open) => {
    const late = new FakeTaker()
    await new Promise(resolve => open().once('connect', resolve))
    distributor.add(late)
    await hasGot(late, 1)
    for (const { socket } of late.given) socket.destroy()
  }),
)

dealing('that a dying worker did not confirm go to another one; the others were closed here', () =>
  withDistributor(async (distributor, open) => {
    const [dying, other] = [new FakeTaker(), new FakeTaker()]
    distributor.add(dying)
    open()
    open()
    await hasGot(dying, 2)
    const [confirmed, lost] = dying.given
    distributor.confirm(dying, 1, [confirmed?.number ?? 0])
    assert.ok(confirmed?.socket.destroyed)
    distributor.add(other)
    distributor.remove(dying)
    assert.equal(
      other.given.map(({ socket }) => socket),
      [lost?.socket],
    )
    lost?.socket.destroy()
  }),
)

dealing.run()
