import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Channel, Link } from './link.js'

/** Two ends of one channel; messages are serialized as JSON, as between processes. */
function pair(): [Link, Link] {
  const receivers: ((message: unknown) => void)[] = []
  const end = (mine: number, other: number): Channel => ({
    send: message => queueMicrotask(() => receivers[other]?.(JSON.parse(JSON.stringify(message)))),
    onMessage: receive => {
      receivers[mine] = receive
    },
  })
  return [new Link(end(0, 1)), new Link(end(1, 0))]
}

const links = suite('a link between processes')

links('replies to each request', async () => {
  const [here, there] = pair()
  there.on('double', async number => (number as number) * 2)
  assert.equal(await Promise.all([here.ask('double', 1), here.ask('double', 2)]), [2, 4])
})
links('delivers messages to the handler of their topic', async () => {
  const [here, there] = pair()
  const heard = new Promise(resolve => there.on('news', resolve))
  here.tell('news', { of: 'today' })
  assert.equal(await heard, { of: 'today' })
})
links('rejects a request with the error of its handler', async () => {
  const [here, there] = pair()
  there.on('fail', () => {
    throw new Error('no such thing')
  })
  assert.match(String(await here.ask('fail').catch((error: Error) => error)), /no such thing/)
  assert.match(String(await here.ask('unheard').catch((error: Error) => error)), /no handler for "unheard"/)
})
links('rejects requests when the other process has exited, before and after', async () => {
  const [here, there] = pair()
  there.on('slow', () => new Promise(() => {}))
  const asked = here.ask('slow').catch((error: Error) => error.message)
  here.close()
  assert.is(await asked, 'the other process is gone')
  assert.is(await here.ask('slow').catch((error: Error) => error.message), 'the other process is gone')
})

links.run()
