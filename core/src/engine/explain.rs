//! What a call ran, and why: made of the recipe that ran it.

use core::fmt;
use std::borrow::Cow;

use cteinsum_plan::{Network, PlanReport, Program};

use crate::engine::Engine;
use crate::engine::cache::{Small, SmallArray};
use crate::engine::orders::Orders;
use crate::engine::plan::Plan;
use crate::engine::prepare::Recipe;
use crate::engine::raw::{Given, Layout, Target};
use crate::kernel::Route;

/// What a recipe was made of.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) text: Cow<'static, str>,
    pub(crate) network: Network,
    /// By label.
    pub(crate) sizes: Vec<usize>,
    pub(crate) program: Program,
    pub(crate) element_bytes: usize,
}

/// What a call ran: its order and costs, and the kernels of each step with the reason for them.
///
/// It is read from what the engine remembers to run, so that what is reported is what runs. (Nothing is remembered of small
/// products: they run in the kernel that would be remembered, and that is reported.) Its
/// [`Display`](core::fmt::Display) is the table of [`PlanReport`] with a column for the kernels.
#[derive(Clone, Debug)]
pub struct Explanation {
    report: PlanReport,
    routes: Vec<Vec<Route>>,
    workspace: usize,
}

impl Explanation {
    fn new(recipe: &Recipe) -> Explanation {
        let Origin {
            text,
            network,
            sizes,
            program,
            element_bytes,
        } = &recipe.origin;
        let report = PlanReport::of_program(text, network, sizes, program);
        let mut actions = recipe.actions.iter();
        // A product comes behind the sums of its operands.
        let routes = program.steps.iter().map(|step| {
            let sums = [&step.left_summed, &step.right_summed];
            let sums = sums.iter().filter(|labels| !labels.is_empty()).count();
            let count = 1 + if step.right.is_some() { sums } else { 0 };
            let actions = actions.by_ref().take(count);
            actions.map(|action| action.kernel.route()).collect()
        });
        Explanation {
            routes: routes.collect(),
            report: report.element_bytes(*element_bytes),
            workspace: recipe.workspace,
        }
    }

    /// The order and what it costs.
    pub fn report(&self) -> &PlanReport {
        &self.report
    }

    /// Of each step the kernels that run, in this order: sums of one operand's own labels, then the product.
    pub fn routes(&self) -> &[Vec<Route>] {
        &self.routes
    }

    /// Bytes of workspace that the intermediates take, alignment included.
    pub fn workspace_bytes(&self) -> usize {
        self.workspace
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let note = |routes: &Vec<Route>| {
            let routes: Vec<String> = routes.iter().map(Route::to_string).collect();
            routes.join("; ")
        };
        let notes: Vec<String> = self.routes.iter().map(note).collect();
        self.report.write(f, &notes)
    }
}

impl Engine {
    /// What the last call in this engine ran; `None` before the first one and after one that failed.
    ///
    /// ```
    /// use cteinsum::{Engine, Kernel, Tensor, einsum};
    ///
    /// let mut engine = Engine::serial();
    /// let a = Tensor::<f64, 2>::zeros([40, 50]);
    /// einsum!("ij->ji", a, engine = &mut engine);
    /// let explanation = engine.explain().expect("a call");
    /// assert_eq!(explanation.routes()[0][0].kernel, Kernel::Copy);
    /// ```
    ///
    /// A call whose lengths are all constants of the types may run without an engine.
    pub fn explain(&self) -> Option<Explanation> {
        match self.cache.last()? {
            Ok(recipe) => Some(Explanation::new(recipe)),
            Err(small) => Some(Explanation::new(&self.recipe_of(small)?)),
        }
    }

    /// What the engine would run for a small product: the same kernel, which ran.
    fn recipe_of(&self, small: &Small) -> Option<Recipe> {
        let [a, b, c] = &small.arrays;
        let real = small.elements.real;
        fn operand(array: &SmallArray, real: bool) -> Layout<'_> {
            Layout::of(&array.1[..array.0], &array.2[..array.0], real)
        }
        let given = Given {
            shape: &c.1[..c.0],
            strides: &c.2[..c.0],
        };
        Recipe::new(
            Plan::Constant(small.spec),
            &mut Orders::new(),
            *small.elements,
            &[operand(a, real), operand(b, real)],
            match small.given {
                true => Target::given(&given),
                false => Target::fresh(small.order),
            },
            self.sharing(),
        )
        .ok()
    }
}
