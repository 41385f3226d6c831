import { readlinkSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FieldError } from 'orch/sdk'
import { loadRuleChecks, validateSpec } from '../definitions/validate-definition.js'
import { readSchema } from './schema-node.js'
import { StructuralSchema } from './structural-schema.js'
import type { ValidationReady, ValidationResult, ValidationTask } from './validation-task.js'
import { Work, WorkExceeded } from './work.js'

/** Compiled schemas by their text: a large object is often followed by others of its type. */
const compiled = new Map<string, StructuralSchema>()
const maxCompiled = 8
/** The values of errors are shown to this length at most; see the sentences about field errors. */
const maxShown = 10_001

/** What the validation thread runs. */
parentPort?.on('message', (task: ValidationTask) => void perform(task).then(result => parentPort?.postMessage(result)))
parentPort?.postMessage({ isReady: true, threadId: ownThreadId() } satisfies ValidationReady)

async function perform(task: ValidationTask): Promise<ValidationResult> {
  try {
    const errors = task.kind === 'object' ? validateObject(task) : await validateDefinition(task)
    return { errors: errors.map(shortened) }
  } catch (thrown) {
    if (thrown instanceof WorkExceeded) return { exceededAt: thrown.field }
    return { failure: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'unknown' }
  }
}

function validateObject(task: ValidationTask & { readonly kind: 'object' }): FieldError[] {
  const before = task.before === undefined ? undefined : JSON.parse(task.before)
  return structureOf(task).validate(JSON.parse(task.object), before, new Work(task.maxWork))
}

async function validateDefinition(task: ValidationTask & { readonly kind: 'definition' }): Promise<FieldError[]> {
  const spec = JSON.parse(task.spec)
  return validateSpec(spec, task.names, await loadRuleChecks(spec, task.names), new Work(task.maxWork))
}

function structureOf({ schema, keywords }: ValidationTask & { readonly kind: 'object' }): StructuralSchema {
  let found = compiled.get(schema)
  if (!found) {
    if (compiled.size >= maxCompiled) compiled.delete(compiled.keys().next().value!)
    compiled.set(schema, (found = new StructuralSchema(readSchema(JSON.parse(schema), keywords), keywords)))
  }
  return found
}

/** What an error is about may be as large as the object. */
function shortened(error: FieldError): FieldError {
  const { value } = error
  if (typeof value === 'string' && value.length > maxShown) return { ...error, value: value.slice(0, maxShown) }
  if (typeof value !== 'object' || value === null) return error
  const text = JSON.stringify(value)
  return text.length > maxShown ? { ...error, value: text.slice(0, maxShown) } : error
}

function ownThreadId(): string | undefined {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1)
  } catch {
    return undefined
  }
}
