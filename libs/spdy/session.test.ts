import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { constants, deflateSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dictionary } from './dictionary.js'
import { controlFrame, controlTypes, dataHead, flagFin, readFrames } from './frames.js'
import { SpdySession, type SpdyStream } from './session.js'
import { SpdyError } from './spdy-error.js'
import { StreamOpener } from './testing/stream-opener.js'

/** Two ends of a connection in memory. */
function pair(): [Duplex, Duplex] {
  const ends: Duplex[] = []
  for (const other of [1, 0])
    ends.push(
      new Duplex({
        read() {},
        write(chunk, _, done) {
          ends[other]?.push(chunk)
          done()
        },
        final(done) {
          ends[other]?.push(null)
          done()
        },
        destroy(error, done) {
          if (!ends[other]?.destroyed) ends[other]?.push(null)
          done(error)
        },
      }),
    )
  return ends as [Duplex, Duplex]
}

interface Frame {
  readonly kind: number | 'data'
  readonly id: number
  readonly text: string
  readonly isLast: boolean
}

/** A client that writes frames and collects those it receives. */
function client(limits = { streams: 3 }, accept: (stream: SpdyStream) => void = () => {}) {
  const [near, far] = pair()
  const session = new SpdySession(far, accept, limits)
  const outcome = session.over.then(
    () => 'ended',
    error => (error as Error).message,
  )
  const frames: Frame[] = []
  void readFrames(near, {
    control: ({ type, body }) =>
      void frames.push({
        kind: type,
        id: body.readUInt32BE(0),
        text: body.length === 8 ? String(body.readUInt32BE(4)) : '',
        isLast: false,
      }),
    data: (id, piece, isLast) => void frames.push({ kind: 'data', id, text: piece.toString(), isLast }),
  }).catch(() => {})
  const opener = new StreamOpener()
  const open = async (id: number, headers: Record<string, string>, flags = 0) => {
    near.write(await opener.frame(id, headers, flags))
  }
  const until = async (found: (frame: Frame) => boolean): Promise<Frame> => {
    for (let i = 0; i < 500; i++) {
      const frame = frames.find(found)
      if (frame) return frame
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    throw new Error(`no such frame among ${JSON.stringify(frames)}`)
  }
  return { near, session, outcome, frames, open, until }
}

const spdy = suite('SPDY/3.1')

spdy('compresses with the dictionary of draft 3', () => {
  assert.is(dictionary.length, 1423)
  // A different dictionary would have a different checksum.
  assert.is(deflateSync('', { dictionary }).readUInt32BE(2), 0xe3c6a7c2)
})

spdy('accepts a stream, exposes its headers, and passes bytes both ways in order', async () => {
  const { near, open, until } = client({ streams: 3 }, stream => {
    assert.equal({ ...stream.headers }, { streamtype: 'stdin', port: '80' })
    stream.pipe(stream)
  })
  await open(1, { StreamType: 'stdin', port: '80' })
  await until(({ kind, id }) => kind === controlTypes.synReply && id === 1)
  // A frame may arrive byte by byte.
  for (const byte of Buffer.concat([dataHead(1, 5, 0), Buffer.from('hello'), dataHead(1, 0, flagFin)]))
    near.write(Buffer.from([byte]))
  await until(({ kind, isLast }) => kind === 'data' && isLast)
  near.end()
})

spdy('answers pings, and ignores windows, settings and unknown frame types', async () => {
  const { near, until, outcome } = client()
  near.write(controlFrame(controlTypes.windowUpdate, 0, 0, 1000))
  near.write(controlFrame(controlTypes.settings, 0, 0))
  near.write(controlFrame(77, 0, Buffer.alloc(9)))
  near.write(controlFrame(controlTypes.ping, 0, 7))
  await until(({ kind, id }) => kind === controlTypes.ping && id === 7)
  near.end()
  assert.is(await outcome, 'ended')
})

spdy('stops reading from a client that does not read the answers to its pings', async () => {
  let [asked, answered] = [0, 0]
  const ping = controlFrame(controlTypes.ping, 0, 7)
  const connection = new Duplex({
    highWaterMark: 1024,
    read() {
      // Endless, so the test ends only if the session stops reading.
      asked++
      setImmediate(() => this.push(ping))
    },
    write: () => void answered++,
  })
  const session = new SpdySession(connection, () => {}, { streams: 1 })
  while (!connection.writableNeedDrain) await new Promise(setImmediate)
  const before = asked
  for (let i = 0; i < 500; i++) await new Promise(setImmediate)
  assert.ok(asked - before <= 1024 / ping.length + 1, `${asked - before} pings were read meanwhile`)
  assert.is(answered, 1, 'the first answer is still being written')
  connection.destroy()
  await session.over
})

spdy('refuses streams beyond the limit, and those that the accept callback refuses', async () => {
  const { open, until } = client({ streams: 1 }, stream => {
    if (stream.headers['streamtype'] === 'bad') throw new SpdyError('no')
  })
  await open(1, { streamtype: 'bad' })
  await until(({ kind, id, text }) => kind === controlTypes.rstStream && id === 1 && text === '3')
  await open(3, { streamtype: 'good' })
  await until(({ kind, id }) => kind === controlTypes.synReply && id === 3)
  await open(5, { streamtype: 'good' })
  await until(({ kind, id, text }) => kind === controlTypes.rstStream && id === 5 && text === '3')
})

spdy('an unread stream blocks the connection instead of filling memory', async () => {
  let stream: SpdyStream | undefined
  const { near, open, until } = client({ streams: 3 }, one => (stream = one))
  await open(1, {})
  await until(({ kind }) => kind === controlTypes.synReply)
  for (let i = 0; i < 64; i++) near.write(Buffer.concat([dataHead(1, 65_536, 0), Buffer.alloc(65_536)]))
  await new Promise(resolve => setTimeout(resolve, 20))
  assert.ok((stream?.readableLength ?? 0) <= 2 * 65_536, `${stream?.readableLength} bytes wait`)
  let bytes = 0
  stream?.on('data', chunk => (bytes += chunk.length))
  near.write(dataHead(1, 0, flagFin))
  await once(stream as SpdyStream, 'end')
  assert.is(bytes, 64 * 65_536)
})

spdy('ends the streams of a connection that is cut off', async () => {
  let stream: SpdyStream | undefined
  const { near, open, until, outcome } = client({ streams: 3 }, one => (stream = one))
  await open(1, {})
  await until(({ kind }) => kind === controlTypes.synReply)
  near.write(dataHead(1, 100, 0))
  near.end()
  assert.is(await outcome, 'the connection ended within a frame')
  stream?.resume()
  await once(stream as SpdyStream, 'end')
})

const hostile: Record<string, [bytes: Buffer, why: RegExp]> = {
  'another version': [Buffer.from('8002000600000004000000010', 'hex'), /version 2/],
  'a huge control frame': [Buffer.from('8003000100ffffff', 'hex'), /more than 65536 bytes/],
  'data without a stream': [dataHead(9, 0, 0), /stream 9, which was never opened/],
  'a frame that is too short': [controlFrame(controlTypes.rstStream, 0), /too short/],
  'headers that are not compressed': [
    controlFrame(controlTypes.synStream, 0, 1, 0, Buffer.alloc(2), Buffer.from('plain')),
    /cannot be decompressed/,
  ],
  'headers that inflate to megabytes': [
    controlFrame(
      controlTypes.synStream,
      0,
      1,
      0,
      Buffer.alloc(2),
      deflateSync(Buffer.alloc(10_000_000), { dictionary, finishFlush: constants.Z_SYNC_FLUSH }),
    ),
    /more than 65536 bytes/,
  ],
}
for (const [title, [bytes, why]] of Object.entries(hostile))
  spdy(`closes the connection after ${title}`, async () => {
    const { near, outcome } = client()
    near.write(bytes)
    assert.match(await outcome, why)
  })

spdy('a stream number that goes back is an error', async () => {
  const { open, outcome } = client()
  await open(3, {})
  await open(1, {})
  assert.match(await outcome, /cannot open stream 1 after 3/)
})

spdy.run()
