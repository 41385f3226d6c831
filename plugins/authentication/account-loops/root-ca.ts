import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ServiceDefinition, type StartTask, services, serviceToken } from 'orch/sdk'
import { readOnce } from '../read-once.js'

/** Reads the CA that Pods know the server by; undefined without TLS. */
export type RootCa = () => string | undefined
export const rootCa = serviceToken<RootCa>('authentication.root-ca')

const needs = { server: services.server }
export const rootCaService = (path: string | undefined): ServiceDefinition<RootCa, typeof needs> => ({
  token: rootCa,
  needs,
  create: ({ server }) => readOnce(() => (path === undefined ? server.caCertificatePem : readCa(path))),
})

function readCa(path: string): string {
  const pem = readFileSync(path, 'utf8')
  try {
    new X509Certificate(pem)
  } catch {
    throw new Error(`--root-ca-file ${path} holds no PEM certificate`)
  }
  return pem
}

const needsCa = { ca: rootCa }
export const checkRootCa: StartTask<typeof needsCa> = {
  name: 'root CA',
  needs: needsCa,
  run: ({ ca }) => void ca(),
}
