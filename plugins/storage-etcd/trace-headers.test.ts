import { type Metadata, Server, ServerCredentials } from '@grpc/grpc-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Connection } from './connection.js'
import { methods } from './protocol.js'

const traces = suite('traces of requests to etcd')

traces('a write carries the headers of the request that it belongs to, others carry none', async () => {
  const seen: (string | undefined)[] = []
  const server = new Server()
  const asIs = (bytes: Buffer) => bytes
  const answer = (call: { metadata: Metadata }, done: (error: null, bytes: Buffer) => void) => {
    seen.push(call.metadata.get('traceparent')[0]?.toString())
    done(null, Buffer.alloc(0))
  }
  server.addService(
    {
      Txn: {
        path: methods.txn.path,
        requestStream: false,
        responseStream: false,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      },
    },
    { Txn: answer },
  )
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  )
  const connection = new Connection([`http://127.0.0.1:${port}`], {})
  try {
    const request = { compare: [], success: [], failure: [] }
    await connection.askOnce(methods.txn, request, { traceparent: '00-abc-def-01' })
    await connection.askOnce(methods.txn, request)
    assert.equal(seen, ['00-abc-def-01', undefined])
  } finally {
    connection.close()
    server.forceShutdown()
  }
})

traces.run()
