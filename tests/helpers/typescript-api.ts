// The compiler's own interface in JavaScript, which the native compiler of this project does not have.
import { ts } from '@ts-morph/common';

export default ts;
