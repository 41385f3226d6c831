import { definePlugin } from '../plugin/plugin.js'
import type { ApiObject } from '../resource/meta.js'
import { applyCases } from './conformance/apply-cases.js'
import type { ConformanceCase, ConformanceRequest } from './conformance/conformance-case.js'
import { ConformanceSubject, conformanceNamespace } from './conformance/conformance-subject.js'
import { deletionCases } from './conformance/deletion-cases.js'
import { descriptionCases } from './conformance/description-cases.js'
import { dryRunCases } from './conformance/dry-run-cases.js'
import { listCases } from './conformance/list-cases.js'
import { readCases } from './conformance/read-cases.js'
import { representationCases } from './conformance/representation-cases.js'
import { roundTripCases } from './conformance/round-trip-cases.js'
import { serverOwnedCases } from './conformance/server-owned-cases.js'
import { subresourceCases } from './conformance/subresource-cases.js'
import { watchCases } from './conformance/watch-cases.js'
import { writeCases } from './conformance/write-cases.js'
import { makeNamespace } from './make-namespace.js'
import { startServer, type TestServer } from './start-server.js'

export type { ConformanceCase, ConformanceRequest } from './conformance/conformance-case.js'

const batteries = [
  writeCases,
  dryRunCases,
  applyCases,
  subresourceCases,
  serverOwnedCases,
  readCases,
  listCases,
  watchCases,
  deletionCases,
  representationCases,
  roundTripCases,
  descriptionCases,
]

/**
 * Tests every verb and every rule of the API on one type over HTTP. Run the cases in order: they share one server,
 * which the last one stops.
 */
export function resourceConformance<T extends object = ApiObject>(request: ConformanceRequest<T>): ConformanceCase[] {
  const subject = new ConformanceSubject(request as ConformanceRequest, () => request.server?.() ?? startFor(request))
  const cases = batteries.flatMap(make => make(subject))
  return [
    ...cases.map(({ name, run }) => ({ name: `${request.resource.kind}: ${name}`, run })),
    ...(request.server
      ? []
      : [{ name: `${request.resource.kind}: the server of the battery stops`, run: () => subject.stop() }]),
  ]
}

async function startFor(
  request: Pick<ConformanceRequest<never>, 'resource' | 'plugins' | 'isRegistered' | 'vendor' | 'options'>,
): Promise<TestServer> {
  const carrier = definePlugin({ name: 'conformance-carrier', register: to => to.resource(request.resource) })
  const server = await startServer({
    plugins: [...(request.plugins ?? []), ...(request.isRegistered ? [] : [carrier])],
    ...(request.vendor === undefined ? {} : { vendor: request.vendor }),
    ...(request.options === undefined ? {} : { options: request.options }),
  })
  if (request.resource.namespaced) await makeNamespace(server, conformanceNamespace).catch(stopping(server))
  return server
}

/** A server that failed to start would otherwise never be stopped. */
const stopping = (server: TestServer) => async (failure: unknown) => {
  await server.stop()
  throw failure
}
