import { type CommandContext, isolationGrades } from 'orch/sdk'

export type IsolationGrade = (typeof isolationGrades)[number]

const grades: Readonly<Record<IsolationGrade, string>> = {
  'in-process': 'in the server, with all of its privileges: for code that you trust',
  worker: 'in a separate process, with the access that its permissions name',
  wasm: 'as WebAssembly, with access to nothing but its input',
}
const described = isolationGrades.map(grade => `  ${grade}: ${grades[grade]}`).join('\n')
const usual: IsolationGrade = 'in-process'

/** Where a new plugin is to run: as the flag says, or as entered at the terminal. Returns an error message for an unknown grade. */
export async function chooseIsolation(
  given: string | undefined,
  { ask }: Pick<CommandContext, 'ask'>,
): Promise<{ grade: IsolationGrade } | { problem: string }> {
  const answer = given ?? (await ask?.(`Where should the plugin run?\n${described}\nIsolation [${usual}]: `)) ?? ''
  const wanted = given === undefined && answer.trim() === '' ? usual : answer.trim()
  const grade = isolationGrades.find(each => each === wanted)
  return grade ? { grade } : { problem: `--isolation must be one of these:\n${described}` }
}
