//! The table of diagnostic codes.
//!
//! A code is never given a second meaning and never removed. Ranges: `OX00xx` command line and
//! files, `OX01xx` the XML text, `OX02xx` the verifier, `OX03xx` the lenses, `OX10xx` Fortran source text, `OX11xx`
//! Fortran names and types, `OX12xx` Fortran that is carried opaquely, `OX20xx` the Fortran
//! back-end, `OX30xx` the execution of a document, `OX41xx` the canonical form, `OX50xx` the driver.

use std::fmt;

/// The number of a diagnostic, printed as `OX0123`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub u16);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OX{:04}", self.0)
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct CodeEntry {
    /// The number.
    pub code: Code,
    /// A short title, lower case.
    pub title: &'static str,
    /// What it means, why it is an error, and what to do: the page of `oxad explain`.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($number:literal $name:ident $title:literal $explanation:literal)*) => {
        impl Code {
            $(
                #[doc = $title]
                pub const $name: Code = Code($number);
            )*
        }

        /// Every code there is, in ascending order.
        pub const CODES: &[CodeEntry] = &[
            $(CodeEntry { code: Code::$name, title: $title, explanation: $explanation },)*
        ];
    };
}

codes! {
    1 CANNOT_READ "cannot read a file"
        "The file does not exist, is a folder, or may not be read. Nothing was written."
    2 CANNOT_WRITE "cannot write a file"
        "The output could not be written. A file is written whole or not at all, so nothing half-written was left behind."
    3 NOT_UTF8 "the input is not UTF-8"
        "The bytes at this place are not valid UTF-8. Convert the file (for example with iconv) and try again."
    100 NOT_XML "the document is not well-formed XML"
        "The text breaks a rule of XML: a tag that is not closed, an attribute without quotes, the same attribute twice, an end tag that does not match. Nothing was read."
    101 TRUNCATED "the document ends too early"
        "The text ends inside an element, a comment or a tag. Most often the program that wrote it failed or was stopped; look at its messages."
    102 DOCTYPE "a document type declaration"
        "XAIF documents have no DOCTYPE, and entities that it could define are refused: they are a way to make a small file expand without bound. Remove the declaration."
    103 UNKNOWN_ENTITY "an entity that XML does not define"
        "Without a document type declaration XML has five named entities: amp, lt, gt, quot and apos. Write the character itself or its number."
    104 TEXT_CONTENT "text between elements"
        "All that XAIF says stands in elements and attributes; text between them has no meaning, so it is refused rather than lost."
    105 XML_TOO_DEEP "elements are nested too deeply"
        "The limit is far above what subscripts within subscripts need in any program, and protects against overflowing the stack. Assign inner subscripts to variables."
    106 XML_TOO_LARGE "the document is too large"
        "A document of more than four gigabytes is refused. Translate fewer source files in one run."
    107 WRONG_NAMESPACE "an element in a wrong namespace"
        "The elements of XAIF 1.0 stand in http://www.mcs.anl.gov/XAIF, the additions of oxad in https://oxad.dev/xaif/2026. Declare them at the root: xmlns:xaif and xmlns:ox."
    108 UNKNOWN_ELEMENT "an element that XAIF does not know"
        "The element is not part of the vocabulary, or it stands where XAIF does not have it. schema/xaif.xsd and schema/oxad.xsd list what may stand where."
    109 UNKNOWN_ATTRIBUTE "an attribute that XAIF does not know"
        "The element has no such attribute. It is refused rather than lost; check its spelling and its prefix."
    110 MISSING_ATTRIBUTE "an attribute is missing"
        "The element makes no sense without this attribute."
    111 MISSING_ELEMENT "an element is missing"
        "The element makes no sense without a child of this name, or the text holds no document at all."
    112 BAD_VALUE "an attribute with a wrong value"
        "The value is not of the kind that this attribute has: not a number, not one of its words, a number out of range, or two attributes that contradict each other."
    113 DUPLICATE_ID "an id is used twice"
        "Ids of vertices, edges, symbols and statements are unique within their graph, symbol table or procedure; with two of the same id nobody could tell which one a reference means."
    114 DANGLING_EDGE "an edge starts or ends nowhere"
        "The source or target of an edge is not the id of a vertex of the same graph."
    115 UNKNOWN_REFERENCE "a reference to what does not exist"
        "A scope, symbol, file or procedure is named that the document does not have."
    116 SCOPE_TREE "the scopes are not a tree"
        "Scopes form one tree: each but the global one has exactly one edge to its parent, and following these edges always ends at the global scope."
    117 EXPRESSION_GRAPH "the edges do not make an expression"
        "The nodes of an expression form a graph without cycles in which exactly one node, the root, is no operand of another, and each operator has the operands that it needs."
    118 CATALOGUE "a catalogue of intrinsics, not a program"
        "The file describes intrinsic functions for xaifBooster; it holds no program. The rules for intrinsics are built into oxad, so such a file is not needed."
    200 DANGLING_ID "an id names nothing"
        "An entity of the document holds the id of a scope, symbol, statement, node or file that does not exist. The program that made the document is at fault. Other invariants are not checked as long as this one does not hold."
    201 NO_SCOPE_TREE "the scopes are no tree"
        "Exactly one scope, the global one, has no parent, and from every scope the parents lead to it."
    202 MISPLACED_SYMBOL "a symbol is not in its scope"
        "Each symbol is listed exactly once, by the scope that it names, and its id is unique among the symbols of that scope."
    203 SECOND_OWNER "something is used in two places"
        "A statement stands in one block, a reference is one occurrence, an expression belongs to one statement or declaration. A stage that wants it twice makes a copy; else a change in one place would silently change the other."
    204 SHARED_NODE "expressions share a node or a node is inside itself"
        "A node of an expression may have several users within it, but belongs to that expression only, and following operands never leads back."
    205 BAD_OPERANDS "an operation has wrong operands"
        "A comparison or logical operation has two operands at positions 1 and 2, `not` has one, and operands of an intrinsic have distinct positions."
    206 BAD_LAYOUT "the layout of a control flow graph is wrong"
        "The layout lists every vertex of the graph exactly once, in the order of the text."
    207 ENTRY_AND_EXIT "entry or exit of a control flow graph is wrong"
        "A graph has exactly one entry, into which no edge leads, and exactly one exit, out of which no edge leads."
    208 AMBIGUOUS_EDGE "two ways on for the same condition"
        "For each value of the condition, and for its absence, control goes on at one vertex. Two edges with the same condition that lead to different vertices leave it open where."
    209 BAD_LOOP "a loop counts in a way that is not understood"
        "Initialization and update of a loop are plain assignments to the same variable, and a counted loop goes on as long as a comparison holds."
    210 SET_KEY "a key into a set map is wrong"
        "Keys of alias, DU/UD and DO sets are unique, and the keys that references and assignments hold are among them; 0 stands for what is not known."
    211 ARGUMENT_POSITION "a dummy argument has a wrong position"
        "Positions of dummy arguments count from 1, and no two arguments of a procedure have the same."
    212 REPEATED_ID "an id that was read is used twice"
        "Ids of scopes and of the vertices of a graph are unique."
    220 BAD_NESTING "constructs are not nested"
        "Along the text, branches and loops are closed in the reverse order in which they are opened, each by an end of its own kind."
    221 BAD_ARM "an arm of a branch begins wrongly"
        "Every edge of a branch leads to a basic block between the branch and its end, or to the end itself."
    222 BAD_LOOP_EDGES "the edges of a loop are wrong"
        "A loop leads by condition 1 to the basic block that follows it, without a condition to a vertex behind its end, and its end leads back to it."
    223 BAD_JUMP "a jump or label has a wrong edge"
        "A jump and a label each have exactly one edge, without a condition."
    224 BAD_PIECE "the text of a statement names what it does not have"
        "The pieces of a statement that is carried as text name its operands by number and its ways out by the condition of an edge of its block, whose last statement it then is."
    225 BAD_MASKED "a WHERE or FORALL holds what it must not"
        "WHERE and FORALL hold assignments, WHERE, FORALL and comments, and only the last arm of a WHERE lacks a mask."
    226 WRONG_SPEC "a type is told by the wrong spec"
        "Characters, derived types, polymorphic objects and pointers have specs of their own; the one for numbers would lose their lengths, names and parameters."
    227 WRONG_PROCEDURE "a procedure and its symbol disagree"
        "What a procedure is (program, subroutine, function) must go with what its symbol is declared to be."
    300 NO_SUCH_PROCEDURE "a procedure that is not in the document"
        "A lens was asked for a procedure by a name that no procedure with a flow graph has. Upper and lower case do not matter. The names are those that xaif-show prints; `proc3`, the number of a procedure in the document, also works."
    301 NO_SUCH_STATEMENT "a statement that is not in the document"
        "A lens was asked for a statement by an id that none has. `xaif-show --ids` prints the ids (`s12`), and, where a document gives statements ids of its own, those too (`s12=34`)."
    1000 SYNTAX "syntax error"
        "The statement is not Fortran as this front-end knows it. The message says what was expected at the place; parsing went on with the next statement."
    1001 MIXED_FORM "a file of mixed source form"
        "The file has lines that can only be fixed form and lines that can only be free form, so any reading of it would be a guess. Say which it is with --form, or convert the file."
    1002 NEEDS_CPP "a preprocessor line in a file that is not preprocessed"
        "A line begins with # and is not a line marker. Files whose extension is in capitals are preprocessed by themselves; for others give --cpp."
    1003 CPP_FAILED "the preprocessor failed"
        "The system's cpp could not be run or reported an error. Most often a header is missing: name its folder with -I."
    1004 INCLUDE_NOT_FOUND "an included file is not found"
        "An INCLUDE line names a file that is neither in the folder of the including file nor in a folder given with -I."
    1005 INCLUDE_DEPTH "INCLUDE is nested too deep"
        "Included files include others, more than thirty deep. Most likely a file includes itself."
    1006 TOO_DEEP "nesting that is too deep"
        "Parentheses, operations or blocks are nested deeper than any program that a person wrote; the limit protects against overflowing the stack. Split the expression or the procedure."
    1007 UNTERMINATED_STRING "a character literal is not closed"
        "A quote opens a character literal that does not end in its statement. In fixed form, look for text beyond column 72."
    1008 BAD_CONTINUATION "a continuation line continues nothing"
        "A line in fixed form has a character in column 6, but no statement stands before it."
    1009 LINE_CUT "a preprocessed line is cut"
        "Macro expansion made a line longer than the line length. As in gfortran the rest is ignored, which is hardly ever meant. Give --line-length as the compiler gets it."
    1010 BLOCK_STRUCTURE "blocks do not match"
        "The statement that ends or divides a block has no block to belong to, or a block is never ended."
    1011 OPAQUE_STATEMENT "a statement is carried as it stands"
        "The front-end knows the statement's keyword but has no model of it. It is carried through as text, and every analysis assumes that it reads and writes all it can reach."
    1012 UNSUPPORTED "a construct that is not supported"
        "The construct belongs to a language extension or a part of Fortran that cannot be carried through safely. The message names it."
    1013 BAD_LABEL "a statement label is wrong"
        "A label is a number from 1 to 99999 in front of a statement."
    1100 NO_IMPLICIT_TYPE "a name has no type"
        "IMPLICIT NONE holds here and nothing declares this name: no declaration of the unit or of its hosts, no module that it uses. Declare the name. If it comes from a module, give the module's source to the same run or fix the ONLY list."
    1101 MODULE_CYCLE "modules use each other in a circle"
        "Each of the modules named in the message uses, perhaps through others, the next one. Fortran forbids this: no order exists in which they could be compiled. Move what they share into a module of its own."
    1102 MISSING_MODULE "the source of a module was not given"
        "The module is used, but none of the files of this run defines it, and it is not an intrinsic module. What the unit takes from it is carried as unresolved names, about which every analysis assumes the worst. Add the file that defines the module to the command line."
    1103 DUPLICATE_UNIT "two program units have the same name"
        "A document is one program: modules, external procedures and main programs each have a name of their own. Translate the two files in separate runs, or rename one."
    1104 NOT_IN_MODULE "a module does not define a name that USE asks for"
        "The name after ONLY, or before a rename arrow, is neither defined in the module nor made accessible by it, or it is private there. Check the spelling and the PUBLIC and PRIVATE statements of the module."
    1105 DUPLICATE_DECLARATION "a name is declared twice"
        "Two declarations of the same scope give the name a type or a shape each. Fortran allows one. Remove one of them."
    1106 UNKNOWN_TYPE "a derived type is not defined"
        "No derived type of this name is visible here. Define it before its use, USE the module that defines it, or, in an interface body, IMPORT it."
    1107 UNKNOWN_PARENT "the module of a submodule is not known"
        "The ancestor or parent of this submodule is not among the files of this run, so the names that it shares with its ancestor cannot be resolved. Add that file."
    1108 NO_INTERFACE "a module procedure has no interface"
        "`module procedure p` in a submodule takes its arguments from the interface body of p in the ancestor module, and none was found. Declare the interface there, or write the whole opening statement here."
    1109 DIRECTIVE_NAME "a directive names what is no variable"
        "INDEPENDENT and DEPENDENT directives list variables of the procedure in which they stand. This name is not declared there."
    1110 STATEMENT_OUT_OF_PLACE "a specification statement that this place does not allow"
        "Declarations of a BLOCK construct stand before its executable statements; behind them it is not told what they declare."
    1150 OPERAND_TYPES "an operator does not fit its operands"
        "The language defines no such operation for operands of these types and ranks, and no interface for the operator that is visible here takes them."
    1151 WRONG_SUBSCRIPTS "subscripts do not fit"
        "An array takes as many subscripts as it has dimensions, a character variable takes a range, and a scalar takes nothing. Perhaps a declaration is missing."
    1152 NO_COMPONENT "an object has no such component"
        "The derived type of the object, and the types that it extends, define no component or type-bound procedure of this name."
    1153 BAD_ARGUMENTS "arguments do not fit the procedure"
        "The procedure has no such dummy argument, or lacks one that it needs. A procedure of the program with the name of an intrinsic one must be declared EXTERNAL."
    1154 NO_SPECIFIC "no specific procedure fits"
        "A generic name stands for the specific procedure whose dummy arguments have the types, kinds and ranks of the actual ones. None of the visible ones has."
    1155 NOT_A_VARIABLE "a variable is wanted"
        "Only a variable, an element, a section, a substring or a component can be set, and only they have parts."
    1156 NO_VALUE "a name that has no value"
        "The name is that of a module, a COMMON block, a NAMELIST group or the like, and cannot stand in an expression."
    1157 NOT_A_PROCEDURE "a call of what is no subroutine"
        "CALL needs the name of a subroutine."
    1160 UNDEFINED_LABEL "a jump to a label that does not exist"
        "No executable statement of this procedure has the label. Labels are not seen across procedures."
    1161 DUPLICATE_LABEL "a label stands twice"
        "Two statements of a procedure must not have the same label."
    1162 NOT_A_TARGET "a jump to a label of a statement that cannot be executed"
        "The label belongs to a FORMAT or to a declaration."
    1163 NO_CONSTRUCT "EXIT or CYCLE without its construct"
        "EXIT leaves the innermost loop or the construct that it names, CYCLE goes on with the next round of a loop. There is no such construct around the statement."
    1164 BAD_SELECT "a branch of a SELECT construct makes no sense"
        "A SELECT construct has at most one default branch."
    1165 BAD_MASKED_STATEMENT "a statement that WHERE or FORALL does not allow"
        "The bodies of WHERE and FORALL are assignments and constructs of the same kind."
    1200 OPAQUE_DECLARATION "a declaration that is carried as it stands"
        "The statement was not understood. It is kept word for word at its place, so that the program that comes out is the one that went in; names that only it declares are unknown to every analysis."
    1250 CARRIED_STATEMENT "a statement is carried without being understood"
        "The statement stands in the document as its text, and is taken to read and write everything that is visible there. Nothing is lost; but a derivative cannot pass through it."
    1251 CARRIED_EXPRESSION "an expression is carried without being understood"
        "The expression stands in the document as its text, and is taken to read everything that is visible there. Nothing is lost; but a derivative cannot pass through it."
    2000 NO_FORTRAN_FOR_IT "Fortran has no way to write this"
        "The document holds something that Fortran cannot say: a C pointer's target, an operand that is missing, a statement in a place where none may stand. Nothing was written. Print the document in the language that it came from, or report the stage that made it."
    2001 NO_LABEL "a statement names a way out that does not exist"
        "An I/O statement or a call names a place to go on (err=, end=, an alternate return), but the control flow graph has no edge for it. The document is inconsistent: xaif-lint tells more."
    2002 NESTED_TOO_DEEP "the program is nested too deep"
        "Constructs are nested deeper than any compiler would take them. Nothing was written."
    2003 ENDLESS_EXPRESSION "an expression is too large to be printed"
        "An expression is a graph whose shared parts become enormous, or never end, when they are written out. Nothing was written. Assign the shared parts to variables before this stage."
    2004 CANNOT_STRUCTURE "control flow cannot be written in Fortran"
        "The control flow jumps into the middle of a construct that Fortran cannot take apart: SELECT TYPE, SELECT RANK, DO CONCURRENT, BLOCK, ASSOCIATE, or a counted loop whose bounds change while it runs. Nothing was written, because the result would be another program."
    2005 FLOW_DIFFERS "the printed control flow differs from the document's"
        "The back-end reads back the flow of what it has printed and compares it with the control flow graph. They differ, which is a defect of this program: please report it with the document. Nothing was written."
    2006 NO_UNIT "a procedure has no place to be printed"
        "A program unit lists a scope that is neither a module, a procedure nor block data. The document is inconsistent: xaif-lint tells more."
    3000 RUN_NO_PROCEDURE "there is no such procedure to run"
        "The document has no procedure of this name with a body, or has several and none was named. Name one with --proc."
    3001 RUN_BAD_INPUT "an input does not fit"
        "A value given with --set, --direction, --input or --stdin cannot be read, has the wrong number of elements, or is meant for a variable that does not exist."
    3002 RUN_UNSUPPORTED "a construct cannot be executed"
        "xaif-run knows what this construct means, or does not, but cannot execute it. It never goes on with a guess. The message names the construct; leave it out of what you run, or compile the program instead."
    3003 RUN_OUT_OF_BOUNDS "an index is out of bounds"
        "An array element, section or substring is referred to that lies outside of its variable. A compiled program may go on with wrong numbers here."
    3004 RUN_UNDEFINED "a variable is used before it has a value"
        "The program uses a variable, or an absent optional argument, that was never given a value. A compiled program may go on with whatever stands in memory. Set the variable before its use, give it a value with --set, or use --zero-undefined."
    3005 RUN_NOT_ALLOCATED "an object is not allocated or associated"
        "The program uses an allocatable that is not allocated, or a pointer that points to nothing."
    3006 RUN_ZERO_STEP "a step or stride is zero"
        "The step of a loop or implied DO, or the stride of a section, is zero: the language does not allow it, and the loop would never end."
    3007 RUN_STACK_DEPTH "calls or expressions are nested too deep"
        "The program calls itself without end, or an expression is nested deeper than the stack allows."
    3008 RUN_TAPE "the tape is not balanced"
        "A value is popped from an empty tape, or values are left on it at the end: the reverse part of the document does not match its forward part."
    3009 RUN_LIMIT "a limit of the execution is reached"
        "The program takes more steps or more memory than it may. It may never end: look at its loops; or raise the limit."
    3010 RUN_TYPE "types do not fit"
        "An operation or assignment meets values of types that it is not defined for. The document is inconsistent, or arguments were passed to a procedure of other types than it declares."
    3011 RUN_SHAPE "shapes do not conform"
        "Arrays of different shapes are combined or assigned, or the shape of an array is needed that nobody knows."
    3012 RUN_ARGUMENT "an argument does not fit"
        "A procedure is called with an argument that its dummy argument cannot take: a label for a variable, a wrong rank, one argument too many, or one that is missing."
    3013 RUN_EXTERNAL "the body of a procedure is not given"
        "The program calls a procedure that the document only declares. Translate its source together with the rest."
    3014 RUN_ARITHMETIC "an integer operation has no result"
        "An integer is divided by zero, or a real is converted that no integer can hold. A compiled program would stop, or go on with a wrong number."
    3015 RUN_MALFORMED "the document cannot mean this"
        "The document contradicts itself where it is executed: an edge is missing, a name is used as what it is not. xaif-lint tells more; if it does not, the stage that made the document is at fault."
    3016 RUN_NO_OUTPUT "output is left out"
        "xaif-run prints what a program writes to its standard output. Files exist in memory only while it runs, and what is written to standard error is left out."
    3017 RUN_CONSTANT "a named constant would be overwritten"
        "The program assigns to a named constant, perhaps through a dummy argument."
    3018 RUN_DANGLING "storage no longer exists"
        "A pointer refers to something that was deallocated, or to a local variable of a procedure that has ended."
    3019 RUN_ALLOCATED "an object is allocated already"
        "ALLOCATE is given an allocatable that is allocated. Deallocate it first, or ask with ALLOCATED."
    3020 RUN_FORMAT "a format does not fit"
        "A format cannot be taken apart, or has no edit descriptor that takes the type of the item that it meets."
    4050 HEAD_NOT_FOUND "a procedure to differentiate that is not there"
        "--head names procedures whose bodies are in the document: `p`, or `m%p` where several have the same name. A main program has no derivative; an external procedure needs its source."
    4051 HEAD_NOT_CLEAR "which procedure is to be differentiated is not clear"
        "Without --head the procedures with an INDEPENDENT or DEPENDENT directive are differentiated, and where there is no directive, the one procedure that no other calls (main programs aside). Here there is none, or there are several. Name one with --head."
    4052 VARIABLE_NOT_FOUND "an independent or dependent variable that is not there"
        "--independent and --dependent name dummy arguments of the head, the function result, COMMON variables (`x` or `/block/x`), module variables (`x` or `m%x`), and components of them (`s%x`); `p:x` is the variable of the head p alone."
    4053 NO_DERIVATIVE "a variable that has no derivative"
        "Independent and dependent variables have real or complex values, and they outlive the call: dummy arguments, the function result, COMMON and module variables, saved variables."
    4054 NO_SIDE "a head without independent or dependent variables"
        "Where neither options nor directives name them, the independents of a head are the real and complex dummy arguments that it reads, the dependents those that it overwrites and its result. This head has none; perhaps it works on COMMON or module variables. Name them with --independent and --dependent."
    4055 INDEPENDENT_WITHOUT_INFLUENCE "an independent that no dependent depends on"
        "The derivative of each dependent with respect to this variable is zero, as far as the analysis can tell. Perhaps a name is wrong, the value passes through an integer or a file, or the variable is overwritten before it is used. The derivative code is right; it is larger than need be."
    4056 DEPENDENT_CONSTANT "a dependent that depends on no independent"
        "The derivative of this variable with respect to each independent is zero, as far as the analysis can tell. Perhaps a name is wrong, or the value passes through an integer or a file."
    4057 WHY_NOT_FOUND "nothing to explain"
        "--why takes a variable as --independent does: `x` in any procedure that the heads reach, `p:x` in the procedure p alone."
    4100 CANNOT_ADOPT "a genuine document does not say enough"
        "XAIF 1.0 has statements for derivatives, but neither variables nor arguments for them. They are written as assignments to derivative variables and passed beside their primals; here the shape of what would have to be passed is not known, or a function would have to be given a derivative within an expression."
    4110 EXTERNALS_FORM "a specification of external procedures cannot be read"
        "The file is not TOML, or it has a key, a word or a type of value that a specification does not have. docs/externals.md shows the form and a complete example."
    4111 EXTERNALS_NAME "a name in a specification that does not fit"
        "The specification of an external procedure uses the name of an argument or global that it does not list, lists one twice, or lists as a global what is none. Globals are /block/ and module::variable; capital letters do not matter."
    4112 EXTERNALS_CONTRADICTION "a specification contradicts itself"
        "An output cannot depend on what is not read, what is not written depends on nothing, and a pure procedure writes no global. A specification is believed, so it is not guessed which of the two is meant."
    4150 NO_RULE "no derivative is known of an operation"
        "The catalogue of derivatives has no rule for an operation on values that carry a derivative. Give its partial derivatives in a catalogue of your own (--intrinsics), or write it in other terms."
    4151 RULE_REFUSED "the derivative of an operation is not supported"
        "The operation is known, but a derivative through it is not supported in this form: the message says why. Nothing is written, because the derivative would be wrong."
    4152 CALL_INSIDE "a function call stands inside an expression"
        "The derivative of an expression is asked for that refers to a function of the program. Such calls stand in statements of their own first (xaif-canonicalize)."
    4153 MUST_STAND_ALONE "an operation must stand in a statement of its own"
        "The derivative of the operation is computed by a loop, so it must be the whole right-hand side of an assignment (xaif-canonicalize)."
    4154 DERIVATIVE_RANK "a derivative has another rank than an operation can take"
        "Several directions at once were asked for in a statement with an operation on whole arrays. A stage should have put a loop over the directions around it: this is a defect of this program."
    4200 ACTIVE_MAIN_PROGRAM "a main program cannot be differentiated"
        "A derivative is computed by a procedure with arguments. A main program has none, and an internal procedure of it cannot be called from elsewhere. Move what is to be differentiated into a module or an external procedure."
    4201 SHARED_STORAGE "variables share storage in a way that derivatives cannot"
        "COMMON or EQUIVALENCE lays variables of different types over each other. With several directions at once the derivatives of one number lie together, so the overlay of the derivatives would be another one. Compute one direction at a time, or give the variables storage of their own."
    4202 NO_ROOM_FOR_DIRECTIONS "a variable cannot have a dimension more"
        "With several directions at once every derivative has one dimension more than its variable. The language allows no more than 15, and none for an argument that is passed by value. Compute one direction at a time."
    5000 MIXED_INPUT "a document among other files"
        "An XAIF document holds a whole program. The driver takes either Fortran sources, all of a program, or one document. Give the document alone, or the sources."
    5001 WOULD_REPLACE_SOURCE "a generated file would replace a source"
        "The file that would be written is one of those that are read. Nothing was written. Give another folder with -o."
    5010 NO_HEAD "which procedure is to be checked is not clear"
        "A check calls one procedure and its tangent. Name it with --head, for a procedure of a module also as module::procedure. Without --head the procedure is taken in which INDEPENDENT or DEPENDENT directives stand, or the only one that there is."
    5011 NO_TANGENT "there is no derivative to check"
        "The procedure has no tangent, or none of its variables has a derivative. Nothing that it computes depends on what is independent, or the variables are named wrongly."
    5012 BAD_SETTING "a --set cannot be used"
        "A setting is of the form name=value, name=[a,b,...], name=FILE, name:extent,extent or name=none, where the name is that of an argument, module variable or member of COMMON, or of a component: v%x. It must name something that exists, and have its rank."
    5013 MISSING_SETTING "the check needs to be told a value or a shape"
        "Real and complex numbers are random where nothing is set for them, but sizes cannot be guessed: integers that are part of the shape of an array, shapes of assumed-shape, assumed-size, allocatable and pointer arrays, and procedures that are passed as arguments. Give them with --set."
    5014 NO_DRIVER "no driver can be written for the procedure"
        "The procedure has an argument that a generated program cannot make: an alternate return, a type that is not defined in a module, a type that has no continuous values and is no integer, logical or character. Write a subroutine with simple arguments around it and check that one."
    5015 COMPILER_FAILED "the compiler refuses the check"
        "The sources, the generated derivative or the driver do not compile. The message shows what was run and what the compiler said. Options of your build that are missing here are given with --flags; --keep DIR keeps all files."
    5016 DRIVER_FAILED "the driver cannot be run"
        "The compiled driver has stopped before its end: the program ends by itself, or fails, for the values that it is given. Set values with --set that make sense for it, or another --seed; --keep DIR keeps the program."
}

/// The row of `code`, where there is one.
pub fn find(code: Code) -> Option<&'static CodeEntry> {
    CODES.iter().find(|entry| entry.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_ascend_and_are_unique() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }

    #[test]
    fn titles_are_lower_case_and_explanations_are_sentences() {
        for entry in CODES {
            assert!(!entry.title.ends_with('.'), "{}", entry.code);
            assert!(entry.explanation.ends_with('.'), "{}", entry.code);
        }
    }
}
